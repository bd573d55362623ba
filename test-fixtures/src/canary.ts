/**
 * A secret that tests put where secrets stand, marked so that one look at any output tells whether it leaked.
 * Long enough to be scrubbed, and with characters that change when escaped for JSON or a URL.
 */
export const CANARY = 'canary-7f3a"/+9c1e&secret';

/** The forms in which {@link CANARY} could leave: as it is, inside JSON text, inside a URL. */
export const CANARY_FORMS: readonly string[] = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString("base64"),
];

/** The forms of the canary that stand in `text`; a test expects none. */
export function findCanary(text: string): string[] {
  return CANARY_FORMS.filter((form) => text.includes(form));
}

/** A secret that stands in the environment of every process that a test starts, and that no output may hold. */
const STRAY = Object.freeze({
  name: "STRAY_TEST_TOKEN",
  value: "canary-of-the-environment-51c7e0",
});

/** The environment with the stray secret in it. */
export function withStraySecret(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, [STRAY.name]: STRAY.value };
}

/** What a test must fail with if a process has printed the stray secret; undefined otherwise. */
export function straySecretIn(printed: string, command: string): Error | undefined {
  if (!printed.includes(STRAY.value)) return undefined;
  return new Error(`${command} printed a secret of its environment`);
}
