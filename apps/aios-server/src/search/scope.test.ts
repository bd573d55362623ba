import { describe, expect, it } from "vitest";
import { selectScopes } from "./scope.ts";

describe("selectScopes", () => {
  it("[S9] searches eight scopes in shared memory and three of a project", () => {
    expect(selectScopes("all", "shared").join()).toBe(
      "sessions,context,memory,vault,decisions,skills,references,plugins",
    );
    expect(selectScopes("all", "project").join()).toBe("sessions,memory,projects");
    expect(selectScopes("vault", "shared")).toEqual(["vault"]);
  });

  it("[S10] refuses a scope that project mode does not serve, and names those that it does", () => {
    expect(() => selectScopes("vault", "project")).toThrow(
      expect.objectContaining({
        code: "SCOPE_NOT_SERVED",
        kind: "input",
        message:
          '"scope" is not served while "memory" is "project"; served are all, sessions, memory, projects',
      }),
    );
  });

  it("refuses the scope projects without a project", () => {
    expect(() => selectScopes("projects", "shared")).toThrow(
      expect.objectContaining({ code: "SCOPE_NEEDS_PROJECT", kind: "input" }),
    );
  });
});
