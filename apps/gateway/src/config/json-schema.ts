import * as z from "zod";
import { fileSchema } from "./schema.ts";

/** The configuration file's JSON Schema (2020-12), for editors. What only the gateway can check is not in it. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(fileSchema, {
    io: "input",
    unrepresentable: "any",
  });
  return { title: "wraptool configuration", ...schema };
}
