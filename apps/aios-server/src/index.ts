export { AiosError, type ErrorCode, type ErrorKind } from "./errors.ts";
export { limits } from "./limits.ts";
export { type AiosServer, type AiosServerOptions, createAiosServer } from "./server.ts";
