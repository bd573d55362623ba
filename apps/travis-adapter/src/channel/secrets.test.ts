import { CANARY, CANARY_FORMS, findCanary } from "test-fixtures";
import { expect, it } from "vitest";
import { createSecrets } from "./secrets.ts";

it("[A34] scrub finds a secret in every form in which a server may give it back", () => {
  const secrets = createSecrets();
  const text = CANARY_FORMS.join(" and ");
  expect(secrets.scrub(text)).toBe(text);
  secrets.add([{ name: "env.TOKEN", value: CANARY }]);
  expect(findCanary(secrets.scrub(text))).toEqual([]);
  const stream = secrets.stream();
  expect(findCanary([...text].map((part) => stream.push(part)).join("") + stream.end())).toEqual(
    [],
  );
});
