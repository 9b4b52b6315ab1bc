import { type Entry, isPrompt, textOf, toolCalls, toolResults } from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import { oneLine } from '../conversation/text';
import { besidePasted } from './beside-pasted';
import { contentWords } from './content-words';
import { isRule } from './demands';
import { type Option, optionPicked } from './options';
import { isPastedCode } from './pasted';
import { sectionsOf } from './remarks';
import { isConditional, isQuestion, sentencesOf } from './sentences';
import { typedCommand } from './typed-command';

export { isLimit } from './demands';

/**
 * What a sentence of the person is: the first thing that a message asks for, anything else it tells or asks for, a rule
 * for the work, a reply to a question of the agent, a question, or chat.
 */
export type UtteranceKind = 'request' | 'direction' | 'rule' | 'answer' | 'question' | 'chat';

/** Something that the person said, verbatim but for white space. */
export interface Utterance {
  readonly kind: UtteranceKind;
  readonly text: string;
  /** For an answer: the question, verbatim. */
  readonly question: string | null;
  /** The option of the agent that it picks by its number ("7"). */
  readonly option: Option | null;
  readonly entryId: string;
  /** Ordinal of the message of the person that it stands in. */
  readonly message: number;
  /** The agent was still at work on what was asked for before. */
  readonly isAside: boolean;
  /** An agent's summary quotes it. */
  readonly isRetold: boolean;
  /** It changes what was asked for before. */
  readonly isRedirect: boolean;
  /** It stands beside pasted text, so that it may be part of it. */
  readonly isBesidePasted: boolean;
  /** What the person said later that ended it; null while it is in force. */
  readonly endedBy: string | null;
  /** What the person settled later about a thing that it names; null if nothing. The rest of it may still be in force. */
  readonly changedBy: string | null;
}

/** What the person said in these entries, in order. Pasted code and output are left out. */
export const personSaid = oncePer((entries: readonly Entry[]): readonly Utterance[] => {
  const said: Utterance[] = [];
  const speech = new Speech(said);
  for (const entry of entries) speech.read(entry);
  return withEndings(said);
});

class Speech {
  #message = -1;
  /** The newest reply with text. */
  #reply: Entry | null = null;
  /** The newest reply calls tools, or nobody replied yet. */
  #isAtWork = false;
  readonly #known = new Set<string>();

  constructor(readonly said: Utterance[]) {}

  read(entry: Entry): void {
    if (isPrompt(entry)) {
      this.#readMessage(entry, textOf(entry.parts));
      this.#isAtWork = true;
    } else if (entry.role === 'assistant') {
      if (textOf(entry.parts).trim() !== '') this.#reply = entry;
      this.#isAtWork = toolCalls(entry.parts).length > 0;
    } else if (entry.summary) this.#readSummary(entry);
    else if (entry.injected) this.#readInjected(entry);
    for (const result of toolResults(entry.parts)) this.#readResult(result.text, result.isError, entry.id);
  }

  #readMessage(entry: Entry, whole: string): void {
    const text = whole.replace(besideWords, ' ');
    this.#message += 1;
    const sentences = sentencesOf(text).filter((sentence) => !isPastedCode(sentence));
    // A bare "yes" is too short for a sentence.
    const joined = oneLine(sentences.length === 0 && text.length <= shortAnswer ? text : sentences.join(' '));
    if (this.#readAnswer(joined, entry.id)) return;
    this.#known.add(joined);
    const pasted = besidePasted(text);
    let hasRequest = false;
    for (const sentence of sentences) {
      const kind = kindOf(sentence, hasRequest);
      if (kind === 'request') hasRequest = true;
      this.#add(kind, oneLine(sentence), entry.id, { isBesidePasted: pasted.has(sentence) });
    }
  }

  #readAnswer(text: string, entryId: string): boolean {
    if (this.#reply === null) return false;
    const option = optionPicked(text, this.#reply);
    const question = option === null ? lastQuestion(textOf(this.#reply.parts)) : questionOf(textOf(this.#reply.parts));
    if (option === null && (question === null || !isBareAnswer(text))) return false;
    this.#add('answer', text, entryId, { question, option });
    return true;
  }

  /** An agent's own summary lists the person's messages: word for word, in quotation marks. */
  #readSummary(entry: Entry): void {
    for (const { title, body } of sectionsOf(textOf(entry.parts))) {
      if (!/\buser messages?\b/i.test(title)) continue;
      for (const [, quoted = ''] of body.matchAll(listedQuotation)) this.#readQuotation(quoted, entry.id);
    }
  }

  #readQuotation(quoted: string, entryId: string): void {
    const sentences = sentencesOf(quoted).filter((sentence) => !isPastedCode(sentence));
    if (this.#known.has(oneLine(sentences.join(' ')))) return;
    this.#message += 1;
    for (const [at, sentence] of sentences.entries()) {
      this.#add(kindOf(sentence, at > 0), oneLine(sentence), entryId, { isRetold: true });
    }
  }

  #readInjected(entry: Entry): void {
    const text = textOf(entry.parts);
    if (interruption.test(text)) this.#isAtWork = false;
    else this.#readCommand(entry, text);
  }

  #readCommand(entry: Entry, text: string): void {
    const command = typedCommand(text);
    if (command === null) return;
    this.#message += 1;
    this.#add('request', command, entry.id);
  }

  #readResult(text: string, isError: boolean, entryId: string): void {
    for (const [, question = '', answer = ''] of answered.test(text) ? text.matchAll(answerPair) : []) {
      this.#add('answer', oneLine(answer), entryId, { question: oneLine(question) });
    }
    const refusal = isError ? refusalWords.exec(text)?.[1]?.trim() : undefined;
    if (refusal === undefined || refusal === '' || /^The user wants to clarify/.test(refusal)) return;
    this.#message += 1;
    for (const sentence of sentencesOf(refusal)) this.#add(kindOf(sentence, true), oneLine(sentence), entryId);
  }

  #add(kind: UtteranceKind, text: string, entryId: string, more: Partial<Utterance> = {}): void {
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    const isRedirect = kind !== 'question' && kind !== 'chat' && redirect.test(text);
    const own = { kind, text, entryId, message: this.#message, isRedirect, isAside: this.#isAtWork };
    const plain = { question: null, option: null, isRetold: false, isBesidePasted: false } as const;
    this.said.push({ ...own, ...plain, endedBy: null, changedBy: null, ...more });
  }
}

/** What a client puts into a message of the person: the open file, reminders, where the transcript of planning is. */
const besideWords =
  /<(ide_\w+|system-reminder|environment_context|local-command-\w+)\b[^>]*>[\s\S]*?<\/\1>|^If you need specific details from before exiting plan mode\b.*$|^#+ (?:Context from my IDE setup|Files mentioned by the user):[\s\S]*?^#+ My request for Codex:[ \t]*$/gm;

/** Agents note that the person stopped them: what comes next is no aside. */
const interruption = /^\s*\[Request interrupted by user|^\s*<turn_aborted>/;

const listedQuotation =
  /^\s*(?:[-*]|\d+\.)\s+(?:\*\*)?(?:\([^)\n]{1,40}\):?\s+)?["“](.{8,}?)["”](?:\*\*)?(?=\s|$|[.,;(])/gm;

/** Claude Code's `AskUserQuestion` puts question and answer into the result. */
const answered = /^(?:(?:The )?user (?:has )?answered\b|Your questions? ha(?:s|ve) been answered)/i;
const answerPair = /"((?:[^"\\]|\\.)+)"\s*=\s*"((?:[^"\\]|\\.)+)"/g;
const refusalWords = /the user said:\s*([\s\S]+)$/i;

const chat =
  /^(?:(?:ok(?:ay)?|thanks?(?: you)?|thx|great|nice|cool|perfect|awesome|good(?: job| work)?|hi|hello|hey|well done|excellent|lovely|amazing|super|danke|merci|gracias|got it|hm+|ah+|oh)\b[\s,!.:)]*(?:(?:so )?(?:much|a lot|again|there|all|work|job|stuff)\b[\s,!.:)]*)?)+$/i;

function kindOf(sentence: string, hasRequest: boolean): UtteranceKind {
  if (chat.test(sentence.trim()) || !says.test(sentence)) return 'chat';
  if (isQuestion(sentence) && !politeRequest.test(sentence)) return 'question';
  if (isRule(sentence)) return 'rule';
  return hasRequest || ownDeed.test(sentence) || isPointer(sentence) ? 'direction' : 'request';
}

/** Less is a smile or a dash. */
const says = /\p{L}{2}|\p{N}/u;

/** "I checked..", "We've already tried that": what the person did asks for nothing. */
const ownDeed =
  /^\W*(?:(?:ok(?:ay)?|so|and|but|hm+|ah+)\b[,.! ]*)*(?:i|we)(?:['’]ve| have)? (?:(?:just|already|also|now) )*(?:\w+ed|ran|did|saw|made|went|found|got|had|read|wrote|put|set)\b[^,;:]*$(?<!\bto \w+\W*)/i;

/** "this :)", "the same": it names nothing that somebody could do. */
function isPointer(sentence: string): boolean {
  return (
    contentWords(sentence).length === 0 &&
    !/^\W*(?:continue|go|do|try|again|proceed|next|start|please|yes|no|ok)\b/i.test(sentence)
  );
}

/** "Can you fix it?" and "For the next part, can we keep it?" ask for work. */
const politeRequest =
  /^(?:[^,?]{0,40}, )?(?:(?:and|so|ok(?:ay)?|please|also|then|now|great|thanks)[, ]+)*(?:can|could|would|will) (?:you|we)\b(?! (?:see|know|tell|explain|remember|think))/i;

const redirect =
  /^(?:\W*(?:actually|no(?=[,.!—–:]|\s+(?:i|we|you|it|its|it['’]s|thats?|that['’]s|this|don['’]?t|do not|not|wait|please|use|let['’]?s|just|keep|make|go|actually|stop)\b)|nope|wait|instead|scrap|forget|rather|hmm+,? (?:no|actually)|on second thou?ghts?|change of plans?|never ?mind|stop\b|let['’]s not|i changed my mind|not\b[^.]*\bbut\b)|\W*(?:ok(?:ay)?|but|and|so|sorry|hm+)[, ]+(?:actually|instead|no,|wait|scrap|let['’]s not|rather))|\binstead(?: of)?\b|\brather than\b|\bno longer\b|\bnot any ?more\b|\bi changed my mind\b/i;

const maxAnswerWords = 8;

/** In UTF-16 units. */
const shortAnswer = 12;

const answerOpening =
  /^(?:yes|yep|yeah|yah|yup|y|no|nope|n|sure|ok(?:ay)?|correct|right|exactly|agreed?|do (?:it|that|both|all|so)|go (?:ahead|for it|on)|please do|the (?:first|second|third|last|former|latter)|both|neither|all|none|option|\(?[a-d1-9]\)?(?:[.,) ]|$)|#\d|ja|nein|oui|si|sí)\b/i;

/** A reply that says nothing without its question: "yes, do 1". */
export function isBareAnswer(text: string): boolean {
  return answerOpening.test(text) && text.split(/\s+/).length <= maxAnswerWords;
}

const questionLength = 300;

/** The last question of a text; null if there is none near its end. */
export function lastQuestion(text: string): string | null {
  const sentences = sentencesOf(text).slice(-6);
  const found = sentences.findLast((sentence) => isQuestion(sentence));
  return found === undefined || found.length > questionLength ? null : oneLine(found);
}

/** The question to which the options of a text are the answers: it may stand above them. */
function questionOf(text: string): string | null {
  const found = sentencesOf(text).findLast((sentence) => isQuestion(sentence));
  return found === undefined || found.length > questionLength ? null : oneLine(found);
}

/**
 * A later redirect ends what was said before if it names the thing that it replaces ("TOML instead of YAML"), or takes
 * back the sentence before it. In doubt nothing is ended.
 */
function withEndings(said: readonly Utterance[]): Utterance[] {
  const ended = new Map<number, string>();
  const changed = changesOf(said);
  for (const [at, { text, isRedirect, message }] of said.entries()) {
    if (!isRedirect) continue;
    const replaced = new Set(contentWords(replacedIn(text)));
    if (replaced.size === 0) continue;
    for (let before = at - 1; before >= 0; before -= 1) {
      const other = said[before];
      if (!other || other.message === message || other.kind === 'question' || other.kind === 'chat') continue;
      if (names(other.text, replaced) && !ended.has(before)) ended.set(before, text);
    }
  }
  return said.map((one, at) => ({ ...one, endedBy: ended.get(at) ?? null, changedBy: changed.get(at) ?? null }));
}

/** "`legacy_mode` should be removed" settles what an earlier message left open about `legacy_mode`. By their indexes. */
function changesOf(said: readonly Utterance[]): ReadonlyMap<number, string> {
  const changed = new Map<number, string>();
  for (const { text, message, kind } of said) {
    const [, subject] = kind === 'question' ? [] : (settled.exec(text) ?? []);
    if (subject === undefined) continue;
    for (const [before, other] of said.entries()) {
      if (other.message < message && other.kind !== 'chat' && other.text.includes(subject)) changed.set(before, text);
    }
  }
  return changed;
}

/** A name of code as the subject of a demand. */
const settled =
  /^\W*((?:\p{L}[\p{L}\p{N}]*[_.-])+\p{L}[\p{L}\p{N}]*|\p{Ll}+\p{Lu}\w*)\W* (?:should|must|has to|needs to|shall|can|is to)\b/u;

/** Whether a redirect of the person replaces what a statement says. */
export function endsStatement({ text }: Utterance, statement: string): boolean {
  const replaced = new Set(contentWords(replacedIn(text)));
  return replaced.size > 0 && names(statement, replaced);
}

/** One common word of a longer phrase ("rather than a smooth gradient") names nothing. */
function names(text: string, replaced: ReadonlySet<string>): boolean {
  return contentWords(text).filter((word) => replaced.has(word)).length >= Math.min(replaced.size, 2);
}

/** What a redirect says is over: "X instead of Y" → Y; "forget Y", "no Y any more", "scrap Y" → Y. */
function replacedIn(text: string): string {
  const found =
    /\b(?:instead of|rather than|in place of)\s+([^.,;:!?()]+)/i.exec(text) ??
    /\b(?:forget(?: about)?|scrap|never ?mind|drop|skip)\s+(?:the\s+)?([^.,;:!?()]+)/i.exec(text) ??
    /\b(?:no longer|not)\s+(?:need |want |use |the )?([^.,;:!?()]+?)\s+(?:any ?more|but)\b/i.exec(text);
  return found?.[1] ?? '';
}

/** Sentences that only set the scene: "then we need to tackle this:". What follows them was pasted. */
export function isLeadIn(text: string): boolean {
  return /[:：]$/.test(text) || isConditional(text);
}
