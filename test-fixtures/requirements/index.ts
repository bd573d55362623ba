import { adapter } from "./adapter.ts";
import { aios } from "./aios.ts";
import { core } from "./core.ts";
import { gateway } from "./gateway.ts";
import type { Requirement } from "./requirement.ts";

/** Every promise of the project, by id. */
export const allRequirements: readonly Requirement[] = [...core, ...adapter, ...gateway, ...aios];
