import { oneLine } from '../conversation/text';
import { contentWords } from './content-words';

/** A choice that a sentence of the agent states, and the reason that it gives. */
export interface Choice {
  /** Verbatim; null where the sentence gives none. */
  readonly rationale: string | null;
}

/**
 * Whether a sentence of the agent states a choice: what it chose, what it did, kept or left for a reason, or what it took
 * rather than something else. What it could not do, what went wrong, and how something behaves are none.
 */
export function choiceIn(sentence: string): Choice | null {
  if (open.test(sentence)) return null;
  const [, reason, act] = consequence.exec(sentence) ?? [];
  if (reason !== undefined && act !== undefined && isChoosing(act)) return { rationale: oneLine(reason) };
  const [, put] = putOff.exec(sentence) ?? [];
  if (put !== undefined && contentWords(put).length >= 3) return { rationale: oneLine(put) };
  return choiceInAct(sentence);
}

function choiceInAct(sentence: string): Choice | null {
  const rationale = reasonIn(sentence);
  const [act = sentence] = sentence.split(reasonStart);
  if (prevented.test(act) || trouble.test(act) || wished.test(act)) return null;
  if (chosen.test(act) || ((intention.test(act) || deed.test(act)) && contrast.test(act)) || changed.test(act))
    return { rationale };
  if (rationale === null || contentWords(act).length < 2 || subject.test(act)) return null;
  return deed.test(act) || lasting.test(act) || contrast.test(act) ? { rationale } : null;
}

/** "X is so, so I'm keeping Y": a verb of choice, or one way rather than another. */
function isChoosing(act: string): boolean {
  if (prevented.test(act) || wished.test(act) || pointing.test(act)) return false;
  return choosing.test(act) || contrast.test(act) || /\b(?:separately|instead)\b/i.test(act);
}

/** The reason that a sentence gives for what it says, verbatim; null if it gives none. */
export function reasonIn(sentence: string): string | null {
  const found = reasonAt.exec(sentence);
  const [, reason] = found ?? [];
  if (!found || reason === undefined || (/^since/i.test(found[0]) && !verb.test(reason))) return null;
  return isWithinAnother(sentence.slice(0, found.index)) ? null : oneLine(reason);
}

/** A reason in brackets or behind a semicolon is about something else. */
function isWithinAnother(before: string): boolean {
  return before.includes(';') || before.split('(').length > before.split(')').length;
}

const reasonAt =
  /(?<!\w[-/])\b(?:because(?! of (?:this|that|it)\b)|since(?! (?:then|yesterday|last|the last|when)\b)|due to|(?<=,) as (?=it\b|they\b|this\b|that\b))\s*(.+)$/i;
/** "X, so I'm keeping Y", "X, so kept Y", "X, so it belongs in Y". */
const pointing = /^(?:(?:now|also|just|only|instead) )*\w+ (?:it|them|those|these|that|this|waiting)\b(?! \w+ as\b)/i;
const consequence =
  /^(.{12,}?)(?:,|;| —| –) (?:and )?so (?:(?:for now|now|next|instead),? )?(?:(?:i|we)(?:['’]m| am|['’]re| are|['’]ll| will|['’]ve)? |it (?=belongs|stays|goes)|(?=kept|left|used|chose|put))((?!(?:can|need|should|would|could|did|do|was|had|have|want|know|think)\b)\w+\b.*)$/i;
const choosing =
  /^(?:(?:going to|now|also|just|only|therefore|instead|intentionally|deliberately) )*(?:keep|kept|leav|left|treat|preserv|avoid|stick|sticking|defer|declin|chos|choos|opt|prefer|limit|belongs|stays|dropp|drop )(?:e|ed|ing|s)?\b/i;

/** "I'll keep X rather than Y". */
const intention =
  /^\W*(?:(?:i|we)(?:['’]m| am|['’]re| are|['’]ll| will) )(?:(?:going to|now|also|just|only|therefore|intentionally|deliberately) )*(?:keep|leav|us|mak|treat|preserv|stick|prefer|put|commit|go|plac|build|writ|implement|mov|splitt?)(?:e|ing|ting)?\b/i;

/** "Declined; the snapshot never changes", "intentionally deferred, the app validates". */
const putOff =
  /\b(?:declined|(?:intentionally|deliberately) (?:deferred|left|kept|unchanged|untouched|omitted|excluded|skipped|not \w+)|left (?:alone|as[- ]is)|kept as[- ]is)\b(?:;|,| —| –| because| since) +(?:because |since )?(.+)$/i;

const reasonStart = /\b(?:because|since|due to)\b|, as (?=it\b|they\b|this\b|that\b)/i;

/** "Since the last release" tells a time. */
const verb =
  /\b(?:is|are|was|were|be|has|have|had|does|do|did|can|could|would|will|must|should|may|might|never|always|only|still|already|\w+s|\w+ed|\w+n['’]t|['’]s|['’]d)\b/i;

const chosen =
  /(?:^|\b(?:i|we)(?:['’]ve| have|['’]m| am)? |[.;:,—–] )(?:\w+ly )?(?:chose|chosen|opted (?:for|to)|went with|decided (?:to|on|against|that|not)|settled on|stuck with|sticking with|going with|picked (?=.* (?:over|instead|rather)))\b/i;

/** With or without its subject. What was only looked at, repaired or reported is no choice. */
const deed =
  /^(?:[\W_]*[\w `'’()/.-]{2,50}\*\*[\s:—–-]*)?[\W_]*(?:(?:also|instead|so|and|for now|here),? )?(?:(?:i|we)(?:['’]ve| have)? )?(?:(?:also|deliberately|intentionally|explicitly|purposely|therefore) )?(?!(?:ran|verified|tested|checked|found|noticed|confirmed|reviewed|searched|looked|fixed|failed|updated|marked|tried|retried|committed|pushed|rebased|regenerated|inspected|observed|used to|need|based|blocked|paused|expected|called|required|caused|related|unrelated)\b)(?:kept|left|put|cut|made|built|wrote|set|took|split|gave|held|did(?:n['’]t| not) \w+|[a-z]{2,}ed)\b(?! (?:by|since|because|on|with)\b)/i;
/** "Seats now show the name instead of the id". */
const changed = /(?<!will )\bnow \w+ .{3,160}\b(?:instead of|rather than) (?!being|leaving|failing|crashing|throwing)/i;
const lasting =
  /\b(?:stays?|remains?(?= (?:as|a|an|the|in|on|under|separate))|(?:is|are) (?:deliberately|intentionally|kept|left)|leads? with|replaces|belongs? (?:in|to|under))\b|^\W*(?:the|our) (?:pattern|convention|rule|approach|principle|design)\b[^.]{0,30}\bis\b/i;
const contrast = /\b(?:instead of|rather than|, not (?:the|a|an|by|via|on|in)\b)/i;
const subject = /^\W*(?:it|this|that|these|those|there|they|you|users?|which)\b/i;

const prevented =
  /\b(?:i|we) (?:tested|checked|verified|ran|looked|confirmed|held off)\b|\b(?:can(?:no|['’])t|could(?:n['’]t| not)|unable|cannot|not able|(?:did(?:n['’]t| not)|have(?:n['’]t| not)) (?:run|verify|test|check|execute|see|get|find|finish|complete)|skipped (?:running|the (?:test|build|check)))\b/i;
const trouble =
  /\b(?:fails?|failed|failing|failures?|errors?|bugs?|brok\w+|breaks?|wrong\w*|missing|crash\w*|rejected|remains? (?:open|to)|verif\w+|network|credentials|sandbox)\b/i;

/** Neither asked nor offered. */
const open = /\?\W*$|^\W*(?:if|once|when) you\b|\bif you\b/i;

/** What would be, and what the agent proposes. */
const wished =
  /\b(?:would|should|could|might|i['’]d|recommend|suggest|my pick|if you|let me|i think|probably|likely|seems?)\b/i;

/** Whether a choice that the agent announced beside its work is more than its next step: it weighs one way against another. */
export function isWeighed(sentence: string): boolean {
  const [, , act = sentence] = consequence.exec(sentence) ?? [];
  return contrast.test(act) && weighing.test(act);
}

const weighing =
  /^\W*(?:(?:i|we)(?:['’]m| am|['’]ll| will) )?(?:(?:going to|now|also|just|only|therefore) )*(?:keep|leav|treat|preserv|defer|declin|choos|prefer|commit)(?:e|ing|ting)? (?!it\b|them\b|this\b|\w+ing\b)/i;
