// Fault: ignores the end of input, and ends on SIGTERM.
console.log('{"jsonrpc":"2.0","method":"notifications/ready"}');
process.stdin.resume();
setInterval(() => {}, 60_000);
