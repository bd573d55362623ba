// Fault: prints banners, logs and blank lines between its messages, a byte order mark before the first and blanks before the last.
process.stdout.write("\ufeff");
console.log('{"jsonrpc":"2.0","method":"notifications/first"}');
console.log("Server listening …");
console.log("");
console.log("[INFO] started");
console.log('{"level":"info","msg":"started"}');
console.log('{"broken');
process.stdout.write('  {"jsonrpc":"2.0","method":"notifications/last"}\r\n');
process.stdin.resume();
