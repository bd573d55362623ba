// Fault: closes its stdin and lives on.
import { closeSync } from "node:fs";

closeSync(0);
console.log('{"jsonrpc":"2.0","method":"notifications/ready"}');
setInterval(() => {}, 60_000);
