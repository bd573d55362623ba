import { bundle } from "../../tsup.base.ts";

export default bundle(["src/cli.ts", "src/dotaios.ts"]);
