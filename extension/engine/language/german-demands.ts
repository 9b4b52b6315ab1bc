import { isQuestion } from './sentences';

/** Whether a German sentence of the person states a rule for the work: a prohibition, or a demand that always holds. */
export function isGermanRule(sentence: string): boolean {
  return !isQuestion(sentence) && general.test(sentence) && isGermanLimit(sentence);
}

const general =
  /(?<!\p{L})(?:nie|niemals|immer|stets|kein(?:e[nmrs]?)?|nicht|höchstens|mindestens|maximal|nur|ausschließlich|finger weg|künftig|in zukunft|ab (?:jetzt|sofort)|von nun an|muss|müssen|darf|dürfen|in ruhe|unverändert)(?!\p{L})/iu;

/** Whether a German sentence of the person limits the work. */
export function isGermanLimit(sentence: string): boolean {
  const said = sentence.replace(opener, '');
  if (isQuestion(said) || !german.test(said) || considering.test(said)) return false;
  if (reserved.test(said) || wish.test(said)) return true;
  if (/^(?:das|es|dies\p{L}*|ich|wer|was|wie|wo|warum)(?!\p{L})/iu.test(said)) return false;
  if (bare.test(said) && !finite.test(said)) return true;
  if (isOrder(said)) return limiting.test(said) || wayOfWork.test(said);
  return modal.test(said) && !/(?<!\p{L})(?:sollte|müsste)n? (?:jetzt|nun|schon|wieder|eigentlich)/iu.test(said);
}

const opener =
  /^(?:\W*(?:und|aber|also|bitte|nein(?=\W)|ja(?=\W)|ok(?:ay)?|noch was|wichtig|achtung|ach|übrigens|außerdem)(?!\p{L})[,:!. ]*)+/iu;

/** Words that only German has: the rules of English do not apply to such a sentence. */
const german =
  /(?<!\p{L})(?:nicht|nie|niemals|kein(?:e[nmrs]?)?|immer|nur|höchstens|mindestens|maximal|ohne|statt|stattdessen|bitte|finger weg|lass|lasst|bleib|verwende|nutze|benutze|nimm|ab jetzt|ab sofort|künftig|darf|dürfen|muss|müssen|soll(?:en)?|möchte|lieber|außer|ausschließlich|der|das|den|dem|ein|eine|auf deutsch)(?!\p{L})/iu;
const considering =
  /(?<!\p{L})(?:vielleicht|eventuell|wahrscheinlich|glaube|denke|könnte|könnten|scheint|anscheinend|offenbar|noch nicht|erst ?mal|vorerst)(?!\p{L})/iu;
const reserved =
  /^(?:finger|hände) weg(?!\p{L})|(?<!\p{L})lass(?:t|e)?(?!\p{L}).{1,80}(?<!\p{L})(?:in ruhe|stehen|unverändert|unangetastet|so|wie (?:es|sie|er) (?:ist|sind)|aus dem spiel)(?!\p{L})|(?<!\p{L})bleib(?:t|en)? (?:unverändert|unangetastet|wie)(?!\p{L})|(?<!\p{L})(?:ist|sind) tabu(?!\p{L})/iu;
const wish =
  /(?<!\p{L})(?:ich|wir) (?:will|möchte|wollen|möchten)(?!\p{L}).*(?<!\p{L})(?:nicht|kein(?:e[nmrs]?)?|nur|lieber|statt)(?!\p{L})/iu;
const bare =
  /^(?:kein(?:e[nmrs]?)?|nie(?:mals)?|nicht|nur|immer|höchstens|maximal|mindestens|ausschließlich|ohne|ab (?:jetzt|sofort)|von nun an|künftig|in zukunft)(?!\p{L})/iu;
const finite =
  /(?<!\p{L})(?:ist|sind|war|waren|hat|haben|hatte|hatten|wird|wurde|wurden|geht|läuft|gibt|gefunden|nötig|problem|ahnung|ding|sorge)(?!\p{L})/iu;

/** Verb first, and then what belongs to it. */
function isOrder(said: string): boolean {
  const [first = '', second = ''] = said.split(/\s+/);
  if (!/^\p{L}{3,}$/u.test(first) || noVerb.test(first)) return false;
  return afterVerb.test(second) || wayOfWork.test(said);
}

const noVerb =
  /^(?:nur|nie|niemals|nicht|nichts|immer|kein(?:e[nmrs]?)?|höchstens|maximal|mindestens|der|die|das|den|dem|des|ein|eine[nmrs]?|ich|du|er|sie|es|wir|ihr|man|aber|und|oder|denn|weil|wenn|falls|dass|ob|als|wie|was|wer|wo|warum|hier|da|dort|dann|jetzt|heute|schon|noch|auch|mit|ohne|für|von|bei|nach|vor|aus|auf|über|unter|alle[nmrs]?|jede[nmrs]?|diese[nmrs]?|meine[nmrs]?|deine[nmrs]?|unsere?[nmrs]?|ist|sind|war|waren|hat|haben|wird|werden|kann|können|muss|müssen|soll|sollen|darf|dürfen)$/iu;
const afterVerb =
  /^(?:der|die|das|den|dem|des|ein|eine[nmrs]?|kein(?:e[nmrs]?)?|nie|niemals|immer|stets|nur|nicht|höchstens|maximal|mindestens|ausschließlich|alle[nmrs]?|jede[nmrs]?|diese[nmrs]?|mir|uns|dir|dich|dabei|bitte|an|in|im|auf|für|bei|beim|mit|ohne|zu|zum|zur|nichts|statt|stattdessen|dafür|künftig|bei|weiterhin|zwei|drei|\d+)$/iu;
const limiting =
  /(?<!\p{L})(?:nicht|nichts|nie|niemals|kein(?:e[nmrs]?)?|immer|stets|nur|höchstens|maximal|mindestens|ausschließlich|ohne|statt|stattdessen|außer|künftig|lieber)(?!\p{L})/iu;
const wayOfWork =
  /^(?:verwende|nutze|benutze|nimm|bleib(?:e)?|behalte|halte?|beschränke?|beachte)(?!\p{L})|(?<!\p{L})(?:auf (?:deutsch|englisch|französisch)|in eine[mr] (?:eigenen|separaten|neuen)|als (?:tabelle|liste|json))(?!\p{L})/iu;
const modal =
  /(?<!\p{L})(?:muss|müssen|darf(?:st)?|dürfen|soll(?:st|en)?|sollte[nst]*)(?!\p{L})(?!.*(?<!\p{L})(?:gefixt|repariert|behoben|geändert|angepasst|geprüft) werden)/iu;
