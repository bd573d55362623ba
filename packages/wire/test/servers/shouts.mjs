// Fault: writes a megabyte to stderr before it answers anything.
const line = `${"complaint ".repeat(100)}\n`;
for (let count = 0; count < 1024; count++) process.stderr.write(line);
process.stderr.write("the last word\n");
console.log('{"jsonrpc":"2.0","method":"notifications/ready"}');
process.stdin.resume();
