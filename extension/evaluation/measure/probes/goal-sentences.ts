import type { ContextSentence } from './context-sentences';

/**
 * Candidates for the goal: the sentences with most points, from what was said and from blocks; among equals, later ones first. Each of the
 * two sources has its own candidates, because the signs that are used for what was said (work that a message closes, work that the agent
 * takes up) do not occur in blocks. The opening request is a candidate too. If a core states a goal, it is the only candidate.
 */
export function goalIn(sentences: readonly ContextSentence[]): string[] {
  const settled = sentences.find(({ kind, heading }) => kind === 'core' && heading === 'current goal');
  if (settled) return [settled.text];
  const messages = messagesOf(sentences);
  const inBlocks = messages.flatMap((lines) => (isSaid(lines) ? [] : candidatesInBlock(lines)));
  const said = messages.flatMap((lines, index) => (isPerson(lines) ? [candidatesIn(lines, messages[index + 1])] : []));
  const opening = best((said[0] ?? []).filter(({ points }) => points >= minPoints)).slice(0, 1);
  return firstDistinct([...best(inBlocks), ...best(said.flat()), ...opening], 2 * maxGoals + 1);
}

function best(candidates: readonly GoalCandidate[]): string[] {
  const scored = candidates.map((candidate, index) => ({
    ...candidate,
    rank: candidate.points + (recencyPoints * index) / candidates.length,
  }));
  const telling = scored.filter(({ points }) => points >= minPoints).sort((a, b) => b.rank - a.rank);
  return firstDistinct(
    (telling.length > 0 ? telling : scored).map(({ text }) => text),
    maxGoals,
  );
}

/** The first texts of which none contains another. */
function firstDistinct(texts: readonly string[], most: number): string[] {
  const kept: string[] = [];
  for (const text of texts) {
    if (kept.length === most) break;
    if (!kept.some((other) => other.includes(text) || text.includes(other))) kept.push(text);
  }
  return kept;
}

interface GoalCandidate {
  readonly text: string;
  readonly points: number;
}

function candidatesIn(said: readonly ContextSentence[], next: readonly ContextSentence[] | undefined): GoalCandidate[] {
  const around = pointsAround(said, next);
  return said.map((sentence, index) => {
    const text = withNextSentence(said, index);
    const points = goalPoints(sentence) + (announces.test(sentence.text) && text !== sentence.text ? 1 : 0);
    const counts = points > 0 || (points === 0 && isStatement(text));
    return { text, points: points + (counts ? around : 0) };
  });
}

/**
 * A message that closes other work, and one whose work the agent takes up, probably states a goal. If the agent's reply is
 * no longer there, it may have.
 */
function pointsAround(said: readonly ContextSentence[], next: readonly ContextSentence[] = []): number {
  const isTakenUp = isPerson(next) || next.length === 0 || next.some(({ text }) => uptake.test(text));
  const isTurn = said.some(({ text }) => closing.test(text));
  return (isTakenUp ? uptakePoints : 0) + (isTurn ? closingPoints : 0);
}

/** An announcement is quoted with the next sentence of its line: the next line of a block may say something else. */
function candidatesInBlock(lines: readonly ContextSentence[]): GoalCandidate[] {
  return lines.map((sentence, index) => {
    const goesOn = lines[index + 1]?.line === sentence.line && announces.test(sentence.text);
    const text = goesOn ? withNextSentence(lines, index) : sentence.text;
    const announced = text === sentence.text ? 0 : 1;
    const quoted = sentence.speaker === 'person' ? quotedPoints : 0;
    return { text, points: goalPoints({ ...sentence, text }) + announced + quoted };
  });
}

/** Consecutive sentences of the same message, or of the agent's replies up to the next message of another kind. */
function messagesOf(sentences: readonly ContextSentence[]): ContextSentence[][] {
  const messages: ContextSentence[][] = [];
  for (const sentence of sentences) {
    const last = messages.at(-1);
    const isSame = last?.[0]?.message === sentence.message || (last && isReply(last) && isReply([sentence]));
    if (last && isSame) last.push(sentence);
    else messages.push([sentence]);
  }
  return messages;
}

function isReply([first]: readonly ContextSentence[]): boolean {
  return first?.kind === 'assistant' || first?.kind === 'tool_call';
}

function isPerson([first]: readonly ContextSentence[]): boolean {
  return first?.kind === 'user';
}

function isSaid(message: readonly ContextSentence[]): boolean {
  return isReply(message) || isPerson(message);
}

/** Announces another goal; the next sentence states it. */
const announces = /\b(?:change|turn|new|news|stop|different|else|goal|now|next)\b/i;

const uptakePoints = 2;
const closingPoints = 1;
/** For a sentence that a block gives as the person's. */
const quotedPoints = 3;

/** Advantage of the last sentence over the first, in points. */
const recencyPoints = 3;

/** A reader cannot choose among candidates, so it quotes several of each side. */
const maxGoals = 5;

/** Phrases that state a goal, with the score of each. */
const goalWords: readonly (readonly [RegExp, number])[] = [
  [
    /\b(?:goal|aim|objective|mission|deliverable|priority|(?:the|your|our) (?:next |new |real )?(?:job|task|assignment))\b/i,
    3,
  ],
  [
    /\b(?:from (?:now|today|here|this (?:point|moment))(?: on)?|(?:change|turn) of \w+|new (?:\w+ )?(?:plan|direction|focus|scope|situation|question|order)|switch(?:ing)? (?:to|over)|turn(?:ing)? to|pivot|refocus|instead|no longer|scrap|drop the|forget (?:the|about)|everything else|something else|(?:is|becomes) (?:a different|another)|what (?:matters|counts|worries|bothers)|what (?:i|we|they|you) (?:\w+ )?(?:want|need|care|ask|come|should)|for (?:me|us|you) next|from you|last act|first of all)\b/i,
    2,
  ],
  [
    /\b(?:i|we|they)(?:['’]d| would)?(?: (?:really|now|also))? (?:want|need|like|care about|ask for|am after|are after)\b|\basks? for\b|\b(?:is|are) to (?:be )?\w+|\b(?:by|until) the end of\b|\bso that\b/i,
    2,
  ],
  [
    /(?:^|[:;] |, (?:so|and|then|but|just)(?: now)? |\b(?:now|please),? )(?:(?:so|now|then|and|please|first|next|ok|right|for now|for us|to)[, ]+)*(?:let'?s|help|build|design|draw up|write|find|figure out|produce|prepare|move|migrate|turn|make|work out|work on|focus|get|give|bring|put|pull|cut|stop|tell me|compare|sketch|score|rank|plan|fix|upgrade|convert|replace|implement|create|set up|investigate|survey|choose|pick|recommend|draft|develop|extend|port|split|merge|rewrite|rework|redo|refactor|restructure|reduce|lower|raise|speed up|shrink|harden|secure|close|finish|deliver|ship|release|roll out|collect|gather|assemble|list|map|measure|explain|analy[sz]e|determine|establish|identify|locate|reproduce|prove|show|test|train|tune|organi[sz]e|schedule|document|summari[sz]e|add|introduce|teach|take|clean|remove|carry|concentrate|look into|see (?:that|to)|how (?:do|can|could|should|would) (?:i|we))\b/i,
    2,
  ],
  [/\bnow\b/i, 1],
];

/** Says that work is over, was handed on, or that plans changed, so the message probably turns to another goal. */
const closing =
  /\b(?:change of \w+|news|new (?:situation|day|question)|(?:is|are|was) (?:answered|closed|delivered|shipped)|off (?:my|the|our) list|no more|behind us|settled|finished|(?:is|are|was|were) (?:done|good|over|out|in)|done with|that is enough|enough of|good enough|leave|rest|waits?|stop(?:s|ped)?|drawer|park(?:ed)?|on hold|on ice|takes? (?:it |them )?over|picks? (?:it|them) up|off your plate|well done|great|beautiful|thanks|thank you|perfect|excellent)\b/i;

/** How an agent takes up new work. */
const uptake = /\b(?:begin|start|turn|switch|mov)(?:s|ing|e)?\b|\b(?:first|next|then i|i take|on it)\b/i;

/** Headings of blocks below which goals are stated, with the score of each. */
const goalHeadings: readonly (readonly [RegExp, number])[] = [
  [/\bgoals?\b/, 3],
  [/\bdirections?\b/, 2],
];

/** Phrases of a rule, which is probably not a goal. */
const prohibition =
  /\b(?:never|don'?t|do not|must not|may not|only|at most|nothing|nobody|unless|no(?! (?:longer|more)))\b/i;

/** A goal needs at least this many points. */
const minPoints = 2;

/** In UTF-16 units. "Change of plan." announces a goal, and the next sentence states it. */
const maxAnnouncementLength = 40;

function withNextSentence(sentences: readonly ContextSentence[], index: number): string {
  const [sentence, next] = [sentences[index], sentences[index + 1]];
  if (!sentence) return '';
  const goesOn = sentence.text.length <= maxAnnouncementLength && next?.message === sentence.message;
  return goesOn ? `${sentence.text} ${next.text}` : sentence.text;
}

/** In UTF-16 units. A goal says more than a request for one step. */
const minGoalLength = 60;

function isStatement(text: string): boolean {
  return text.length >= minGoalLength && !isPlainQuestion(text);
}

/** A sentence that is a question from its first word. "How do we …?" can state a goal. */
function isPlainQuestion(text: string): boolean {
  return (
    /\?\s*$/.test(text) && questionStart.test(text) && !/\bhow (?:do|can|could|should|would) (?:i|we)\b/i.test(text)
  );
}

const questionStart =
  /^(?:(?:and|but|so|then|or|by the way|one question|question|quick question)[,:]? )*(?:who|what(?! (?:i|we|they)\b)|when|where|why|which|whose|how|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|must|have|has|had|any|anything|am)\b/i;

function goalPoints({ text, heading }: Pick<ContextSentence, 'text' | 'heading'>): number {
  if (isPlainQuestion(text)) return 0;
  const said = goalWords.reduce((points, [words, worth]) => points + (words.test(text) ? worth : 0), 0);
  const long = said > 0 && isStatement(text) ? 1 : 0;
  return (
    said + long + (goalHeadings.find(([words]) => words.test(heading))?.[1] ?? 0) - (prohibition.test(text) ? 2 : 0)
  );
}
