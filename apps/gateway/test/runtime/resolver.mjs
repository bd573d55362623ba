// The names of a container: those of the host that it was given lead to this machine, and others are unknown.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const known = (process.env.HOSTS ?? "").split(",");
const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  const isInternal = /^host\.\w+\.internal$/.test(name);
  if (isInternal && !known.includes(name))
    return rest.at(-1)(Object.assign(new Error(`ENOTFOUND ${name}`), { code: "ENOTFOUND" }));
  return lookup(isInternal ? "127.0.0.1" : name, ...rest);
};
syncBuiltinESMExports();
