export type { ConfigDocument, DocumentOptions } from "./config-document.ts";
export {
  authSchemes,
  type CredentialKind,
  type CredentialRule,
  credentialRules,
  findCredentialRule,
  findReferenceProblem,
  isCredentialHeader,
  isCredentialKey,
  requireReference,
} from "./credential.ts";
export { type DocumentFormat, parseDocument, readDocument } from "./document.ts";
export { durationSchema, MAX_DURATION_MS, parseDuration } from "./duration.ts";
export { parseEnvFile, readEnvFile } from "./env-file.ts";
export { ConfigError, type ConfigErrorCode, fieldPath, type Path, type Place } from "./error.ts";
export { parseJsonDocument, readJsonDocument } from "./json-document.ts";
export { type Layer, type LayeredEntry, mergeLayers } from "./layers.ts";
export type { DocumentNode, Member } from "./node.ts";
export type { DocumentFault, DocumentLimits } from "./reader.ts";
export { expandReferences, findReferences, type Reference } from "./reference.ts";
export {
  createScrubber,
  MIN_SECRET_LENGTH,
  type NamedSecret,
  REDACTED,
  type Scrubber,
  type ScrubStream,
} from "./scrub.ts";
export { createSecret, revealSecret, type Secret } from "./secret.ts";
export { parseSize, sizeSchema } from "./size.ts";
export { readSource, type SourceOptions } from "./source.ts";
export { checkStrict, parseStrict, type StrictOptions, type StrictResult } from "./strict.ts";
