// Holds what a run found out against what is expected, and says what is not as it should be.
import { adapterDifferences, gatewayDifferences } from "./differences.mjs";

const namesOf = (outcome) => (outcome?.failed ?? []).map(({ name }) => name).sort();
const isSame = (one, other) => one.join() === other.join();

/** A sentence for each scenario that the server itself fails, or that the gateway changes against expectation. */
export function problemsOfServers({ title, columns: { direct, ...doors } }) {
  const isExpected = (scenario, door) =>
    gatewayDifferences.some(
      ({ suites, doors, scenarios }) =>
        suites.includes(title) && doors.includes(door) && scenarios.includes(scenario),
    );
  const problems = [...direct]
    .filter(([, outcome]) => outcome.failed.length > 0)
    .map(([scenario, outcome]) => `${title}, ${scenario}, direct: ${told(outcome)}`);
  for (const [door, outcomes] of Object.entries(doors))
    for (const scenario of new Set([...direct.keys(), ...outcomes.keys()])) {
      const outcome = outcomes.get(scenario);
      const same = isSame(namesOf(direct.get(scenario)), namesOf(outcome));
      if (same !== isExpected(scenario, door)) continue;
      const what = same ? "the expected difference is gone" : told(outcome);
      problems.push(`${title}, ${scenario}, ${door}: ${what}`);
    }
  return problems;
}

/** A sentence for each scenario in which the adapter fails other checks than is expected. */
export function problemsOfClients({ title, columns: { adapter } }) {
  return [...adapter].flatMap(([scenario, outcome]) => {
    const expected = adapterDifferences
      .filter((one) => one.suites.includes(title) && one.scenario === scenario)
      .flatMap(({ checks }) => checks)
      .sort();
    if (isSame(expected, namesOf(outcome))) return [];
    return [
      `${title}, ${scenario}, adapter: expected ${expected.join(", ") || "no failure"}; ${told(outcome)}`,
    ];
  });
}

function told(outcome) {
  if (outcome === undefined) return "was not run";
  if (outcome.failed.length === 0) return "passes";
  return outcome.failed.map(({ name, message }) => `${name} failed: ${message}`).join("; ");
}
