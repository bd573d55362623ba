// Fault: reads its first message, complains on stderr and exits with 7.
process.stdin.once("data", () => {
  process.stderr.write("\u001b[31mfatal:\u001b[0m token is canary-secret-value\n", () =>
    process.exit(7),
  );
});
