// Vitest reporter: ends the run with the one line that people and machines read: "N passed, N failed".
// A test file that does not load counts as a failure. Skipped tests are named above the line.
export default class ClosingLine {
  onTestRunEnd(modules, errors) {
    let passed = 0;
    let failed = errors.length;
    const skipped = [];
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped.push(test.fullName);
      }
    }
    process.on("exit", () => {
      for (const name of skipped) console.log(`skipped: ${name}`);
      console.log(`${passed} passed, ${failed} failed`);
    });
  }
}
