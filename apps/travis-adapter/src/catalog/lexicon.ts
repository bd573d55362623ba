import { stem } from "./words.ts";

/** Words that people use for the same thing, one kind of thing a line. A word may stand in several lines. */
const KINDS = `
ad ads advertising advertisement campaign marketing promotion
account user profile member login
airport airline aviation flight flying plane
answer response reply
app application software
attorney lawyer law legal court
bank credit finance financial loan money payment
bar chart diagram graph plot visualize visualization
bitcoin blockchain btc coin crypto cryptocurrency defi eth ethereum token
blog article post writing content
book novel library reading literature
bug defect error issue problem ticket
buy order product purchase shop shopping store
calculate calculator calculation compute math arithmetic
calendar date schedule event appointment meeting
car vehicle automobile auto drive
career employment hiring job recruit vacancy
change edit modify update
chat conversation message talk
child children kid kids
city town neighborhood area region
cheap cheaper cost discount deal expensive fee price
clothes clothing fashion outfit shirt style wear
code coding program programming script developer
commit git repository repo branch
company business corporation enterprise
compose draft write
conversion convert transform
cook cooking cuisine dish food meal recipe
create make generate build new add
customer revenue sales
database query sql table record
delete remove erase drop
dining eat restaurant
directory folder path
disease doctor health medical medicine symptom
display list show view enumerate
doc document docx file pdf text
download fetch get obtain read retrieve
drawing image painting photo photograph picture
email mail mailbox inbox newsletter
equity market share stock ticker
execute launch run start
exercise fitness gym training workout
film movie video watch streaming
find look lookup search locate discover
football game match player score soccer sport team
forecast humidity rain temperature weather wind windy
game puzzle play quiz
headline news update
holiday itinerary tourism travel trip vacation
home house property apartment estate rent
hotel accommodation lodging
language translate translation pronunciation vocabulary
latitude longitude coordinate geocode geographic location address place map street
link site url web webpage website page
music song audio sound track playlist
note remember reminder task todo
open read view
optimize ranking seo
paper research study academic scholar
phone call telephone
position rank ranking
recommend recommendation suggest suggestion advice idea
resume cv
rename move
review rating opinion
save store write
send notify message publish
sheet spreadsheet excel workbook cell
slide presentation powerpoint deck
summarize summary brief digest
test check verify validate
`;

let related: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The stems of words that mean nearly what `term`, itself a stem, means; none for most terms. */
export function relatedTerms(term: string): ReadonlySet<string> {
  related ??= readKinds(KINDS);
  return related.get(term) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function readKinds(kinds: string): Map<string, Set<string>> {
  const byTerm = new Map<string, Set<string>>();
  for (const line of kinds.trim().split("\n")) {
    const terms = line.split(" ").map(stem);
    for (const term of terms) {
      const others = byTerm.get(term) ?? new Set<string>();
      for (const other of terms) if (other !== term) others.add(other);
      byTerm.set(term, others);
    }
  }
  return byTerm;
}
