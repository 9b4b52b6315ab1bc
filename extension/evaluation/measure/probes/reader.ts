import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { type ContextSentence, sentencesIn } from './context-sentences';
import { type Answer, nothingSpent, type Respondent } from './respondent';

/**
 * Answers without a model: it finds sentences in the given context by wording and quotes them. It knows nothing about
 * the task, infers nothing and prefers later sentences. What it finds is the information that survived.
 */
export const reader: Respondent = {
  id: { kind: 'reader', name: 'reader' },
  goal: async (context) => {
    const found = goalIn(sentencesIn(context)).join('\n');
    return given(found, found);
  },
  constraints: async (context) => {
    const found = constraintsIn(sentencesIn(context));
    return given(found, found.join('\n'));
  },
  action: async (context, { request, options }) => {
    const search = new SentenceSearch(sentencesIn(context));
    const evidence = options.map((option) => search.about(`${request} ${option}`, sentencesPerOption));
    const text = evidence.map((found, index) => [`Option ${index + 1}:`, ...found].join('\n')).join('\n');
    return given({ kind: 'found', evidence }, text);
  },
};

function given<T>(value: T, text: string): Answer<T> {
  return { kind: 'given', value, text, spent: nothingSpent };
}

/** Number of sentences quoted per option. */
const sentencesPerOption = 8;

/** Phrases that state a goal, with their points. */
const goalWords: readonly (readonly [RegExp, number])[] = [
  [/\b(?:goal|aim|objective|mission|deliverable|job)\b/i, 3],
  [
    /\b(?:from (?:now|today|here|this point)(?: on)?|change of (?:plan|direction|course)|new (?:plan|direction|focus|scope)|switch(?:ing)? (?:to|over)|pivot|refocus|instead|no longer|scrap|drop the|forget (?:the|about)|what (?:matters|counts|worries me)|last act|first of all)\b/i,
    2,
  ],
  [
    /\b(?:i|we|they)(?:['’]d| would)?(?: really)? (?:want|need|like|care about|am after|are after)\b|\bwe have to\b|\b(?:by|until) the end of\b|\bso that\b/i,
    2,
  ],
  [
    /^(?:(?:so|now|then|please|first|next|ok|for now)[, ]+)*(?:let'?s|help|build|design|draw up|write|find out|find|figure out|produce|prepare|move|migrate|turn|make|work out|focus|get|bring|put together|pull|cut|stop|tell me|compare|sketch|score|rank|plan|fix|upgrade|convert|replace|implement|create|set up|investigate|survey|choose|recommend)\b/i,
    2,
  ],
  [/\bnow\b/i, 1],
];

const goalHeading = /^(?:current |the |main )?goals?$/;

/** Phrases of a rule, which is probably not a goal. */
const prohibition = /\b(?:never|don'?t|do not|must not|may not|only|at most|no)\b/i;

/** A goal needs at least this many points. */
const minPoints = 2;

/** Candidates for the goal: the sentences with most points, later ones first. A core's goal settles it. */
function goalIn(sentences: readonly ContextSentence[]): string[] {
  const settled = sentences.find(({ kind, heading }) => kind === 'core' && heading === 'current goal');
  if (settled) return [settled.text];
  const spoken = sentences.filter(({ kind }) => kind !== 'assistant' && kind !== 'tool_call');
  const scored = spoken.map((sentence, index) => {
    const points = goalPoints(sentence);
    return { text: withNextSentence(spoken, index), points, rank: points + (recencyPoints * index) / spoken.length };
  });
  const telling = scored.filter(({ points }) => points >= minPoints).sort((a, b) => b.rank - a.rank);
  return [...new Set((telling.length > 0 ? telling : scored).map(({ text }) => text))].slice(0, maxGoals);
}

/** Advantage of the last sentence over the first, in points. */
const recencyPoints = 2;

/** A reader cannot choose among candidates, so it quotes several. */
const maxGoals = 5;

/** In UTF-16 units. "Change of plan." announces a goal, and the next sentence states it. */
const maxAnnouncementLength = 40;

function withNextSentence(sentences: readonly ContextSentence[], index: number): string {
  const [sentence, next] = [sentences[index], sentences[index + 1]];
  if (!sentence) return '';
  const goesOn = sentence.text.length <= maxAnnouncementLength && next?.message === sentence.message;
  return goesOn ? `${sentence.text} ${next.text}` : sentence.text;
}

function goalPoints({ text, heading }: ContextSentence): number {
  if (/\?\s*$/.test(text)) return 0;
  const said = goalWords.reduce((points, [words, worth]) => points + (words.test(text) ? worth : 0), 0);
  return said + (goalHeading.test(heading) ? 2 : 0) - (prohibition.test(text) ? 2 : 0);
}

const ruleWords =
  /\b(?:must(?:n'?t)?|never|always|only|don'?t|do not|does not|cannot|can'?t|may not|may only|without|at most|at least|no more than|no less than|under|below|above|within|by (?:monday|tuesday|wednesday|thursday|friday)|before|until|limit|budget|cap|keep|stay|stays|avoid|forbidden|not allowed|off limits|hands off|leave .{1,40} alone|has to|have to|needs to|shall|should|require[sd]?|ensure|make sure|no exceptions|nobody|nothing|none of|not (?:a|to|be|in|on|use|touch)|instead|rather than|rule|constraint)\b|\bno\s+\w+/i;

/** Limit on the quoted rules. */
const maxRules = 60;

function constraintsIn(sentences: readonly ContextSentence[]): string[] {
  const rules = sentences.filter(
    ({ text, kind, heading }) =>
      kind !== 'assistant' &&
      kind !== 'tool_call' &&
      !/\?\s*$/.test(text) &&
      (ruleWords.test(text) || /constraint/.test(heading)),
  );
  return [...new Set(rules.map(({ text }) => text))].slice(-maxRules);
}

/** Common English words that the search ignores. */
const stopWords = new Set(
  'a an and are as at be by can did do for from had has have how i if in into is it its me my now of on or our so some than that the their them then there they this to up us was we were what when which who will with would you your'.split(
    ' ',
  ),
);

/** Finds sentences that share words with a text. */
class SentenceSearch {
  readonly #index = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    processTerm: (term) => {
      const word = term.toLowerCase();
      return stopWords.has(word) ? null : stemmer(word);
    },
  });
  readonly #sentences: readonly ContextSentence[];

  constructor(sentences: readonly ContextSentence[]) {
    this.#sentences = sentences;
    this.#index.addAll(sentences.map(({ text }, id) => ({ id, text })));
  }

  /** Best match first; the later sentence first among equals. */
  about(text: string, count: number): string[] {
    const found = this.#index.search(text).sort((a, b) => b.score - a.score || Number(b.id) - Number(a.id));
    const texts = found.flatMap(({ id }) => this.#sentences[Number(id)]?.text ?? []);
    return [...new Set(texts)].slice(0, count);
  }
}
