// Fault: ignores the end of input and SIGTERM.
process.on("SIGTERM", () => console.log('{"jsonrpc":"2.0","method":"notifications/term"}'));
process.stdin
  .on("end", () => console.log('{"jsonrpc":"2.0","method":"notifications/end"}'))
  .resume();
console.log('{"jsonrpc":"2.0","method":"notifications/ready"}');
setInterval(() => {}, 60_000);
