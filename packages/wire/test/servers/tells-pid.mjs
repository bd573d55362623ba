// Fault: ignores the end of input and SIGTERM, as a background job of a shell would not even see the first.
process.on("SIGTERM", () => {});
console.log(
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/pid", params: { pid: process.pid } }),
);
setInterval(() => {}, 60_000);
