// Fault: the tool `wait` never answers.
import { serve } from "./serve.mjs";

serve({ tools: [{ name: "wait", description: "Never answer", call: () => undefined }] });
