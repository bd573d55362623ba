// Fault: reads everything and answers nothing, not even `initialize`.
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
