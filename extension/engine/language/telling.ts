import { oncePerText } from '../conversation/once-per';
import { contentWords } from './content-words';
import { namesIn } from './names';
import { isCode, isConditional, isQuestion } from './sentences';

const announcement =
  /^(?:(?:ok(?:ay)?|sure|great|perfect|excellent|good|got it|ah|interesting|alright|now|and|first|next|so|then)\b[\s,!.:—-]*)*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to|i need to|i should|we need to|you['’]re (?:absolutely )?right|checking|looking|reading|running|searching)\b/i;
const filler =
  /\b(?:i|we)(?:['’]ve)? (?:can )?(?:now )?(?:have|got|see|understand|know)(?: now)? (?:(?:the|a|all|everything|enough|exactly)\b[^.;,]{0,40}\b(?:picture|understanding|view|scope|information|context|pattern|patterns|flow|structure|need(?:ed)?|details|idea)|everything|enough)\b|\bno changes? (?:is |are )?needed (?:there|here)\b|\ball (?:of )?(?:that|this) is (?:clear|fine|good)\b|\byou['’]re all set\b|^\W*glad\b/i;

/** What an agent puts around its own summary, and Strata around one that it cannot read. */
const frame =
  /\b(?:session|conversation) is (?:being )?continued from\b|\bsummary (?:below|above) covers\b|\bwhen the summary was requested\b|\bThe summary is encrypted\b|\bhad its provider compact\b/i;

const exclamation = /^(?:ok(?:ay)?|sure|great|perfect|excellent|good|got it|done|ah|interesting|alright|hm+)[!.,]?$/i;
const offer =
  /\b(?:would you|should (?:i|we)|shall (?:i|we)|want me to|let me know|ready (?:for|to)|whenever you|(?:when|once) you['’]re|if you(?:['’]d)? (?:like|want|prefer|need|wish)|i can (?:also )?(?:provide|help|add|do|create|show|walk|proceed|start|give|run|make))\b|^\W*once\b/i;

/** Tells the person what to do or to type, or is markup. */
const addressed =
  /^\W*(?:(?:now )?try (?:again|it|now|\w+ing)|please|go ahead|give it|type|run `?\/)\b|^[`*\s]*\/\w|<\/?\w+>/i;

/** Agrees, wishes or exclaims: "Exactly right!", "Yes, let's fix it". */
const agreement =
  /^\W*(?:(?:yes|exactly|absolutely|perfect|great|excellent|good (?:catch|point|idea|question)|that['’]s (?:right|correct|great|exactly it)|you['’]re welcome|no problem|sounds good|makes sense)\b[\s,.!—–-]*)+(?:right|correct|let['’]s\b.*|please\b.*)?\W*$|^\W*yes\W+let['’]s\b/i;

/** Only announces that something was found: "I found the issue!", "I see there's a syntax error." */
const discovery =
  /^\W*(?:now )?(?:i (?:can )?(?:now )?(?:see|understand|notice|found)(?! that\b)|found|there['’]s|this is|that['’]s)\b/i;

/** A line that was typed into a shell, and its continuation. */
const shellLine =
  /\\$|^-{1,2}[A-Za-z]+(?: |=)|^(?:\$ )?(?:curl|wget|sudo|ssh|scp|cd|git|npm|npx|pnpm|docker|kubectl|pip) [a-z./-]/;

/** An example of what somebody could say or type. */
const example = /^["“'`](?:[^"“”`]*)["”'`][.,]?$/;

const minWords = 4;

/** Fewer content words need a verb to tell something. */
const minWordsOfFragment = 6;
const minWordsOfDiscovery = 5;

/** Whether a sentence of the agent tells something, instead of announcing, asking, agreeing or listing. */
export const isTelling = oncePerText((marked: string): boolean => {
  const sentence = marked.replace(pictures, '').trim();
  const prose = withoutCode(sentence);
  if (addressed.test(prose) || frame.test(sentence) || shellLine.test(sentence) || example.test(sentence)) return false;
  if (isListOfNames(sentence) || isCode(prose) || isQuestion(sentence) || isConditional(sentence) || isOffer(sentence))
    return false;
  if ([announcement, filler, exclamation, agreement].some((words) => words.test(sentence))) return false;
  if (/[:：][*_]*$/.test(sentence)) return false;
  // Two words are a heading or an exclamation, except in scripts without spaces.
  if (!/^[\x20-\u024f‘-’“-”–—…]*$/.test(sentence)) return true;
  return sentence.split(/\s+/).length >= minWords && !isEmptyDiscovery(sentence) && !isFragment(sentence);
});

/** Many names and hardly a word that says what they are. */
function isListOfNames(sentence: string): boolean {
  const words = sentence.split(/[\s,]+/);
  const names = words.filter((word) => namesIn(word).length > 0).length;
  return names >= minNamesOfList && names > words.length * 0.8;
}

const minNamesOfList = 6;

/** Code between backticks is a name in a sentence, whatever signs are in it. A line that is nothing else stays code. */
export function withoutCode(sentence: string): string {
  const prose = sentence.replace(/`([^`]+)`/g, (span, code: string) => (/^\/\w/.test(code) ? span : 'code'));
  return /\p{L}{2}/u.test(prose.replaceAll('code', '')) ? prose : sentence;
}

/** Ticks and other pictures in front of a sentence. */
const pictures = /\p{Extended_Pictographic}|\uFE0F/gu;

/** Whether a sentence offers something to the person. */
export function isOffer(sentence: string): boolean {
  return offer.test(sentence);
}

function isEmptyDiscovery(sentence: string): boolean {
  return discovery.test(sentence) && !hasName(sentence) && contentWords(sentence).length < minWordsOfDiscovery;
}

/** An item of a list that says nothing without it: "Average execution time (ms)". */
function isFragment(sentence: string): boolean {
  if (/[.!?…][*_`"”)]*$/.test(sentence) || hasName(sentence) || verb.test(sentence)) return false;
  return contentWords(sentence).length < minWordsOfFragment;
}

/** A name, a value or a relation makes even a short line worth keeping. */
function hasName(sentence: string): boolean {
  return /`[^`]+`|\d|→|->|: \S|[a-z][A-Z]|\w[_./]\w/.test(sentence);
}

const verb =
  /\b(?:is|are|was|were|be|been|has|have|had|do(?:es)?|did|can|cannot|could|will|would|must|should|may|needs?|uses?|keeps?|gets?|makes?|means?|works?|fails?|returns?|stays?|now)\b|\b\w{2,}(?:ed|n['’]t)\b/i;

/**
 * What a sentence beside a tool call tells, to which a colon at its end leads. "X is so, so I'm keeping Y" is a choice with its reason; "X is so, so I'm
 * looking at Y" tells X alone, as the rest is done by the call.
 */
export function toldBeside(whole: string): { sentence: string; isChoice: boolean } {
  const sentence = whole.replace(/:$/, '');
  const [reason, act] = consequence.exec(sentence)?.slice(1) ?? [];
  if (reason === undefined || act === undefined) return { sentence, isChoice: isReasoned(sentence) };
  if (looking.test(act)) return { sentence: reason, isChoice: false };
  return { sentence, isChoice: contentWords(reason).length >= minReasonWords };
}

const minReasonWords = 3;

/** "I'm committing them apart, since they belong to two repositories." */
function isReasoned(sentence: string): boolean {
  const [, act = ''] = announcedAct.exec(sentence) ?? [];
  return act !== '' && !looking.test(act) && reasoned.test(act) && contentWords(act).length > minReasonWords;
}

const announcedAct =
  /^\W*(?:(?:now|next|meanwhile|then|so|ok(?:ay)?|good|also|in parallel)\b[\s,—–-]*)*(?:(?:i|we)(?:['’]m| am|['’]re| are|['’]ll| will) (?:(?:going to|now|also|just|only) )*)?(\w+\b.*)$/i;
const reasoned =
  /(?:,|\b(?:apart|separately|instead)) (?:because|since|as (?:it|they|this|that))\b|\bso (?:that )?(?:the|it|they|future|all|every|no)\b|\brather than\b|\bto avoid\b/i;

const consequence =
  /^(.{12,}?)(?:,|;| —| –)? (?:and )?(?:so|therefore|which is why) (?:(?:for now|now|next|instead),? )?(?:i|we)(?:['’]m| am|['’]re| are|['’]ll| will) (?:(?:going to|now|also|just|only|therefore|instead) )*(\w+\b.*)$/i;

/** Acts that only find out or wait. */
const looking =
  /^(?:re-?)?(?:check|inspect|look|read|run|runn|wait|verify|retry|retri|locat|find|search|confirm|test|review|scan|trac|quer|grep|open|try|tri|do|watch|poll|fetch|pull|list|ask|tak|start|continu|proceed|need)(?:e|ing|ying)?\b/i;
