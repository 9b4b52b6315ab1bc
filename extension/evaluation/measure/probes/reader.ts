import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { type Answer, nothingSpent } from '../../../engine/asking/answer';
import { type ContextSentence, sentencesIn } from './context-sentences';
import { goalIn } from './goal-sentences';
import type { Respondent } from './respondent';

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

const ruleWords =
  /\b(?:must(?:n'?t)?|never|always|only|don'?t|do not|does not|cannot|can'?t|may|without|at (?:the )?(?:very )?(?:most|least)|no more than|no less than|under|below|above|within|up to|by (?:monday|tuesday|wednesday|thursday|friday)|before|until|from (?:now|today|here|this point)|limit|budget|cap|floor|ceiling|maximum|minimum|keep|stay|stays|avoid|forbidden|allowed|permitted|acceptable|provided|included|off limits|hands off|leave .{1,40} alone|has to|have to|needs to|shall|should|require[sd]?|ensure|make sure|no exceptions|nobody|nothing|none of|every|each|all|not (?:a|one|to|be|in|on|use|touch)|instead|rather than|rule|constraint|stop \w+ing|(?:if|when|where) .{1,80}, \w+ \w+)\b|\bno\s+\w+/i;

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
