export type { Address } from "./config/address.ts";
export type { GatewayConfig, ServerConfig } from "./config/config.ts";
export { builtInConfig, type LoadedConfig, type Loading, loadConfig } from "./config/load.ts";
export { findPlaces, type Places } from "./config/place.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./gateway.ts";
export { type Prepared, prepareGateway } from "./prepared.ts";
