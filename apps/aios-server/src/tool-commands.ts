import { CommandError } from "@core/terminal";
import { SEARCH_SCOPES } from "./arguments/search.ts";
import { limits } from "./limits.ts";
import { reportFailure } from "./response/failure.ts";
import { contextNotices } from "./response/notices.ts";
import { renderSearch, renderSkills, searchNotices, skillNotices } from "./response/terminal.ts";
import { answerText } from "./response/tool.ts";
import { type Run, usage } from "./run.ts";

/** What a command line gives a tool: its arguments, and flags that only concern the command. */
type Given = Record<string, unknown>;

const MEMORY = ["--memory <mode>", "shared, project or off"] as const;
const PROJECT = ["--project <name>", "only this project: its folder name, id or alias"] as const;
const JSON_FLAG = ["--json", "print the tool's own answer"] as const;

/** Adds the tools as commands: the same arguments as flags, and with `--json` the same answer. */
export function addToolCommands({ program, report, server, print }: Run): void {
  const printAnswer = (text: string, answer: string) => print(`${report.json ? answer : text}\n`);

  program
    .command("brief")
    .description("print the working context that read_working_context returns")
    .option("--compact", "the same; the projection is always compact")
    .option(...MEMORY)
    .option(...PROJECT)
    .option("--limit <n>", `recent sessions, ${rangeOf("ContextSessions")}`, parseInteger)
    .option("--budget <n>", `characters of Markdown, ${rangeOf("ContextBudget")}`, parseInteger)
    .option(...JSON_FLAG)
    .action(async ({ compact: _, json: __, ...given }: Given) => {
      const answer = await refusing(() => server().readWorkingContext(given));
      for (const notice of contextNotices(answer)) report.note(notice);
      printAnswer(answer.markdown, answerText(answer));
    });

  program
    .command("search")
    .description("look something up, as search_aios does")
    .argument("<query...>", "words, or a phrase")
    .option("--scope <scope>", SEARCH_SCOPES.join(", "))
    .option(...MEMORY)
    .option(...PROJECT)
    .option("--limit <n>", `results of each scope, ${rangeOf("SearchResults")}`, parseInteger)
    .option("--budget <n>", `characters of the answer, ${rangeOf("SearchBudget")}`, parseInteger)
    .option(...JSON_FLAG)
    .action(async (words: string[], { json: _, ...given }: Given) => {
      const query = words.join(" ");
      const text = await refusing(() => server().searchAios({ ...given, query }));
      const answer = JSON.parse(text);
      for (const notice of searchNotices(answer)) report.note(notice);
      printAnswer(renderSearch(answer), text);
    });

  program
    .command("skill")
    .description("print the installed skills that fit an intent, as resolve_skill finds them")
    .argument("<intent...>", "what is to be done, in any words")
    .option(...MEMORY)
    .option(...PROJECT)
    .option("--limit <n>", `skills, ${rangeOf("SkillMatches")}`, parseInteger)
    .option("--budget <n>", `characters of the answer, ${rangeOf("SkillBudget")}`, parseInteger)
    .option(...JSON_FLAG)
    .action(async (words: string[], { json: _, ...given }: Given) => {
      const intent = words.join(" ");
      const text = await refusing(() => server().resolveSkill({ ...given, intent }));
      const answer = JSON.parse(text);
      for (const notice of skillNotices(answer)) report.note(notice);
      printAnswer(renderSkills(answer), text);
    });
}

type Range =
  | "ContextSessions"
  | "ContextBudget"
  | "SearchResults"
  | "SearchBudget"
  | "SkillMatches"
  | "SkillBudget";

function rangeOf(what: Range): string {
  return `${limits[`min${what}`]} to ${limits[`max${what}`]}`;
}

function parseInteger(value: string): number {
  if (!/^-?\d{1,15}$/.test(value)) throw usage("--limit and --budget need a whole number");
  return Number(value);
}

/** Runs a tool; what it refuses ends the command with the tool's own code and sentence. */
async function refusing<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    const { code, sentence } = reportFailure(thrown);
    throw new CommandError(code, sentence, { cause: thrown });
  }
}
