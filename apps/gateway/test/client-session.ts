import type { ClientSession } from "../src/upstream/client-session.ts";

/** A session that ends when it is told to, and keeps what it is sent. */
export interface TestSession extends ClientSession {
  end(): void;
  readonly sent: Buffer[];
}

export function session(...capabilities: string[]): TestSession {
  const endings: (() => void)[] = [];
  const sent: Buffer[] = [];
  return {
    label: "test",
    cwd: undefined,
    capabilities: new Set(capabilities),
    onEnd: (run) => endings.push(run),
    send: (json) => sent.push(json) > 0,
    end() {
      for (const run of endings.splice(0)) run();
    },
    sent,
  };
}
