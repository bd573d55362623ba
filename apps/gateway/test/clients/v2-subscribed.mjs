// The SDK's v2 client that hears of a resource: node v2-subscribed.mjs URL MODE WANTED HIDDEN prints as JSON whether it may
// subscribe, what became of the hidden resource, and of which resources it heard. MODE is auto (both eras) or legacy.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, mode, wanted, hidden] = process.argv.slice(2);
const negotiation = mode === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
const client = new Client({ name: "test", version: "1.0.0" }, negotiation);
const heard = [];
let onHeard = () => {};
client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
  heard.push(params.uri);
  onHeard();
});
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const version = client.getNegotiatedProtocolVersion();
const offered = client.getServerCapabilities().resources.subscribe;

let refused;
let subscription;
if (version === "2026-07-28") {
  subscription = await client.listen({ resourceSubscriptions: [wanted, hidden] });
  refused = subscription.honoredFilter.resourceSubscriptions;
} else {
  await client.subscribeResource({ uri: wanted });
  refused = await client.subscribeResource({ uri: hidden }).catch(({ message }) => message);
}
const first = new Promise((resolve) => {
  onHeard = resolve;
});
for (const uri of [hidden, wanted]) await client.callTool({ name: "touch", arguments: { uri } });
await first;
if (subscription === undefined) await client.unsubscribeResource({ uri: wanted });
else await subscription.close();
await client.close();
console.log(JSON.stringify({ version, offered, refused, heard }));
