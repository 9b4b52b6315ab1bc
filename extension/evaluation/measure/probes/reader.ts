import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { type Answer, nothingSpent } from '../../../engine/asking/ask-model';
import { unique } from '../../../engine/conversation/text';
import { type ContextSentence, sentencesIn } from './context-sentences';
import { goalIn } from './goal-sentences';
import { asRespondent, type SeparateAnswers } from './respondent';

/**
 * Answers without a model: it finds sentences in the given context by wording and quotes them. It knows nothing about
 * the task, infers nothing and prefers later sentences. What it finds is the information that survived.
 */
export const readersAnswers: SeparateAnswers = {
  id: { kind: 'reader', name: 'reader' },
  goal: (context) => {
    const found = goalIn(sentencesIn(context)).join('\n');
    return given(found, found);
  },
  constraints: (context) => {
    const found = constraintsIn(sentencesIn(context));
    return given(found, found.join('\n'));
  },
  action: (context, { request, options }) => {
    const sentences = sentencesIn(context);
    const search = new SentenceSearch(sentences);
    const found = options.map((option) => search.about([option, `${request} ${option}`]));
    const rules = constraintsIn(sentences);
    const text = found.map((passages, index) => [`Option ${index + 1}:`, ...passages].join('\n')).join('\n');
    return given({ kind: 'found', evidence: found.map((passages) => unique([...passages, ...rules])) }, text);
  },
};

export const reader = asRespondent(readersAnswers);

function given<T>(value: T, text: string): Answer<T> {
  return { kind: 'given', value, text, spent: nothingSpent };
}

const sentencesPerQuery = 8;

/** Number of sentences quoted of a reply, from its end. */
const sentencesPerReply = 3;

const ruleWords =
  /\b(?:must(?:n'?t)?|never|always|only|don'?t|do not|does not|cannot|can'?t|may|without|at (?:the )?(?:very )?(?:most|least)|no more than|no less than|under|below|above|within|up to|by (?:monday|tuesday|wednesday|thursday|friday)|before|until|from (?:now|today|here|this point)|limit|budget|cap|floor|ceiling|maximum|minimum|keeps?|stays?|remains?|unchanged|untouched|avoid|forbidden|allowed|permitted|acceptable|provided|included|off limits|hands off|leave .{1,40} alone|has to|have to|needs to|shall|should|require[sd]?|ensure|make sure|no exceptions|nobody|nothing|none of|every|each|all|not (?:a|one|to|be|in|on|use|touch|ours|yours|mine|theirs)|instead|rather than|rule|constraint|stop \w+ing|(?:if|when|where) .{1,80}, \w+ \w+)\b|\bno\s+\w+/i;

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

  /**
   * The best matches of each query with the sentences around them, and the end of the agent's reply to what the person
   * said, in order. A sentence often names a thing ("the bulk endpoint"), and the next sentence or the reply says what is true of it.
   */
  about(queries: readonly string[]): string[] {
    const best = queries.flatMap((query) => this.#bestFor(query));
    const found = new Set(best.flatMap((at) => [...this.#around(at), ...this.#replyTo(at)]));
    return this.#passages([...found].sort((a, b) => a - b));
  }

  /** The later sentence first among equals. */
  #bestFor(query: string): number[] {
    const found = this.#index.search(query).sort((a, b) => b.score - a.score || Number(b.id) - Number(a.id));
    const firstOf = new Map<string, number>();
    for (const at of found.map(({ id }) => Number(id))) {
      const text = this.#sentences[at]?.text ?? '';
      if (!firstOf.has(text)) firstOf.set(text, at);
    }
    return [...firstOf.values()].slice(0, sentencesPerQuery);
  }

  #around(at: number): number[] {
    return [at - 1, at, at + 1].filter((other) => other === at || this.#isBeside(at, other));
  }

  #replyTo(at: number): number[] {
    if (this.#sentences[at]?.kind !== 'user') return [];
    const next = this.#sentences.findIndex(({ kind, message }, other) => {
      return other > at && kind !== 'assistant' && kind !== 'tool_call' && message !== this.#sentences[at]?.message;
    });
    const end = next === -1 ? this.#sentences.length : next;
    const reply = Array.from({ length: end - at - 1 }, (_, index) => at + 1 + index);
    return reply.filter((other) => this.#sentences[other]?.kind === 'assistant').slice(-sentencesPerReply);
  }

  #isBeside(at: number, other: number): boolean {
    const [one, two] = [this.#sentences[at], this.#sentences[other]];
    if (!one || !two || one.message !== two.message) return false;
    return one.line === two.line || one.kind === 'user' || one.kind === 'assistant';
  }

  /** Adjacent sentences make one passage. */
  #passages(found: readonly number[]): string[] {
    const passages: string[] = [];
    for (const [index, at] of found.entries()) {
      const text = this.#sentences[at]?.text ?? '';
      const goesOn = found[index - 1] === at - 1 && this.#isBeside(at, at - 1);
      if (goesOn) passages.push(`${passages.pop() ?? ''} ${text}`);
      else passages.push(text);
    }
    return passages;
  }
}
