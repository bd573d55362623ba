import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseClientDocument } from "@core/clients";
import { ConfigError, fieldPath, readSource } from "@core/config";
import { CommandError } from "@core/terminal";
import * as z from "zod";
import { quoteCommand } from "../harness/shell.ts";

/** What `run` can take of a dev container's file (containers.dev), as it is written there. */
export interface DevContainer {
  readonly file: string;
  readonly image: string;
  readonly containerUser?: string | undefined;
  /** Who runs commands inside, where that is somebody else. */
  readonly remoteUser?: string | undefined;
  readonly containerEnv: Readonly<Record<string, string>>;
  readonly runArgs: readonly string[];
  readonly mounts: readonly string[];
  readonly workspaceFolder?: string | undefined;
  /** The fields that change a container, and that `run` cannot take. */
  readonly leftOut: readonly string[];
}

const PLACES = [join(".devcontainer", "devcontainer.json"), ".devcontainer.json"];

/** Fields that stand in place of an image. */
const RECIPES = ["build", "dockerFile", "dockerComposeFile"];
/** Fields that add to the image, or that an editor does once the container runs. */
const DONE_BY_EDITORS = [
  ...["features", "initializeCommand", "onCreateCommand", "updateContentCommand"],
  ...["postCreateCommand", "postStartCommand", "postAttachCommand", "remoteEnv"],
  ...["privileged", "capAdd", "securityOpt", "appPort"],
];

const line = z
  .string("must be a string")
  .refine((value) => !value.includes("\0"), "must not hold a null character");
const text = line.min(1, "must not be empty");
const texts = (example: string) => z.array(text, `must be a list of strings such as ${example}`);
const variables = z
  .record(z.string(), line, "must be an object of variables")
  .refine(
    (map) => Object.keys(map).every((name) => /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)),
    "must name its variables by letters, digits and underscores",
  );
const image = z
  .string({
    error: ({ input }) =>
      input === undefined ? "is missing; up needs the name of an image" : "must be a string",
  })
  .regex(/^[^-\0][^\0]*$/, "must be the name of an image");

/** Other fields are an editor's, and pass. */
const schema = z.object({
  image,
  containerEnv: variables.default({}),
  containerUser: text.optional(),
  remoteUser: text.optional(),
  runArgs: texts("--cap-drop=ALL").default([]),
  mounts: texts("type=volume,source=cache,target=/cache").default([]),
  workspaceFolder: text.optional(),
});

/**
 * Reads the file of the dev container in a folder: JSON with comments, at most 1 MiB. Throws CommandError where there is
 * none or where it describes how to make an image, ConfigError or ClientFileError for what it says wrongly.
 */
export function readDevContainer(folder: string): DevContainer {
  const file = PLACES.map((place) => join(folder, place)).find((path) => existsSync(path));
  if (file === undefined)
    throw new CommandError("NO_DEV_CONTAINER", `${folder} holds no ${PLACES.join(" and no ")}`, {
      hint: "Name the folder that holds one, or an image with --image",
    });
  const { value } = parseClientDocument(readSource(file), { format: "jsonc", file });
  const recipe = RECIPES.find((field) => Object.hasOwn(value, field));
  if (recipe !== undefined) throw notBuilt(file, recipe, folder);
  const leftOut = DONE_BY_EDITORS.filter((field) => isSaid(value[field]));
  return { file, ...check(value, file), leftOut };
}

function notBuilt(file: string, field: string, folder: string): CommandError {
  const reason = `${file} ${field}: up runs an image that exists, and builds none`;
  return new CommandError("NOT_BUILT", reason, { hint: howToBuild(folder) });
}

/** How an image comes of such a file, with its features. */
export function howToBuild(folder: string): string {
  const words = ["devcontainer", "build", "--workspace-folder", folder, "--image-name", "NAME"];
  return `Build one: ${quoteCommand(words, "linux")}, then run it: wraptool up --image NAME`;
}

function check(value: unknown, file: string): z.output<typeof schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] as z.core.$ZodIssue;
  throw new ConfigError("INVALID_VALUE", message, { file, field: fieldPath(path as string[]) });
}

/** `false`, `{}` and `[]` ask for nothing. */
function isSaid(value: unknown): boolean {
  return Boolean(value) && (typeof value !== "object" || Object.keys(value as object).length > 0);
}
