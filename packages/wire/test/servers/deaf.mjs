// Fault: never reads its stdin.
console.log('{"jsonrpc":"2.0","method":"notifications/ready"}');
setInterval(() => {}, 60_000);
