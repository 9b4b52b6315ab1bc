import { type Entry, textOf } from '../../../engine/conversation/entry';
import { contentWords } from '../../../engine/language/content-words';
import { isCode, isConstraint, isQuestion, sentencesOf } from '../../../engine/language/sentences';
import { agrees, type Statement, statementIn } from '../../../engine/language/statement';

/**
 * Sentences of the person in the replaced entries that set a rule or request something, and that no later sentence up to
 * the boundary withdraws. Judged by wording only: a later sentence withdraws an earlier one if it names what to drop
 * (“forget the export”, “tabs instead of spaces”), or repeats most of its words with other numbers or the opposite sense.
 * Limits: it does not notice that a request was carried out, a rule withdrawn in entirely different words, or a wish
 * without a cue word.
 */
export function directionsInForce(prompts: readonly Entry[], replaced: readonly Entry[]): string[] {
  const gone = new Set(replaced.map(({ id }) => id));
  const standing = new StandingDirections();
  for (const prompt of prompts) {
    for (const sentence of spokenSentences(prompt)) standing.read(sentence, gone.has(prompt.id));
  }
  return standing.texts();
}

function spokenSentences({ parts }: Entry): string[] {
  return sentencesOf(textOf(parts)).filter((sentence) => !isCode(sentence));
}

interface Direction {
  readonly text: string;
  readonly statement: Statement;
  readonly isReplaced: boolean;
}

/** Reads sentences in order and compares each only with those that share a word with it. */
class StandingDirections {
  readonly #standing = new Map<string, Direction>();
  readonly #byWord = new Map<string, Set<Direction>>();

  read(sentence: string, isReplaced: boolean): void {
    if (bareWithdrawal.test(sentence)) this.#drop([...this.#standing.values()].at(-1));
    else if (!isQuestion(sentence)) this.#takeBack(sentence);
    if (!isDirection(sentence) || bareWithdrawal.test(sentence)) return;
    this.#drop(this.#standing.get(sentence));
    this.#keep({ text: sentence, statement: statementIn(sentence), isReplaced });
  }

  texts(): string[] {
    return [...this.#standing.values()].filter(({ isReplaced }) => isReplaced).map(({ text }) => text);
  }

  #takeBack(sentence: string): void {
    const statement = statementIn(sentence);
    const withdrawn = withdrawnIn(sentence).map(contentWords);
    const related = new Set([...statement.words].flatMap((word) => [...(this.#byWord.get(word) ?? [])]));
    for (const earlier of related) {
      if (contradicts(statement, earlier.statement) || withdrawn.some((words) => names(words, earlier.statement)))
        this.#drop(earlier);
    }
  }

  #keep(direction: Direction): void {
    this.#standing.set(direction.text, direction);
    for (const word of direction.statement.words) {
      this.#byWord.set(word, (this.#byWord.get(word) ?? new Set()).add(direction));
    }
  }

  #drop(direction: Direction | undefined): void {
    if (!direction) return;
    this.#standing.delete(direction.text);
    for (const word of direction.statement.words) this.#byWord.get(word)?.delete(direction);
  }
}

const minSharedRatio = 2 / 3;
const minSharedWords = 2;

/** Repeats most of the words with another meaning. */
function contradicts(later: Statement, earlier: Statement): boolean {
  const shared = [...earlier.words].filter((word) => later.words.has(word)).length;
  if (shared < Math.max(minSharedWords, earlier.words.size * minSharedRatio)) return false;
  return statesOther(later.numbers, earlier.numbers) || !agrees({ ...earlier, numbers: none, bounds: none }, later);
}

const none: ReadonlySet<string> = new Set();

/** A sentence without numbers contradicts no number. */
function statesOther(later: ReadonlySet<string>, earlier: ReadonlySet<string>): boolean {
  return later.size > 0 && [...earlier].some((number) => !later.has(number));
}

function names(withdrawn: readonly string[], { words }: Statement): boolean {
  const shared = withdrawn.filter((word) => words.has(word)).length;
  return shared > 0 && shared >= withdrawn.length * minSharedRatio;
}

/** The thing to drop follows these words up to the end of the clause, or precedes those of the next pattern. */
const dropsWhatFollows =
  /\b(?:forget(?: about)?|never ?mind|drop|scrap|ignore|cancel|undo|revert|stop|skip|instead of|rather than|no longer|not any ?more|no need (?:to|for)|don['’]?t (?:need|have) to|vergiss|statt|oublie|olvida)\s+([^.,;:!?]+)/gi;
const dropsWhatPrecedes =
  /(?:^|[.,;:!]\s*)([^.,;:!?]+?)\s+(?:(?:is|are)\s+(?:no longer|not)\s+(?:needed|wanted|required|necessary)|no longer (?:matters?|applies|apply|holds?)|(?:does|do)(?:n['’]t| not) (?:matter|apply)(?: any ?more)?|(?:is|are) obsolete)/gi;

function withdrawnIn(sentence: string): string[] {
  return [...sentence.matchAll(dropsWhatFollows), ...sentence.matchAll(dropsWhatPrecedes)].map(([, what = '']) => what);
}

/** Names no thing, so it refers to the previous sentence. */
const bareWithdrawal =
  /^(?:(?:no|ok(?:ay)?|actually|sorry|wait),?\s+)*(?:never ?mind|(?:forget|scrap|cancel|ignore|undo|drop) (?:it|that|this))(?:\s+(?:again|please|then))?[\s.!]*$/i;

function isDirection(sentence: string): boolean {
  return isConstraint(sentence) || (request.test(sentence) && (!isQuestion(sentence) || asking.test(sentence)));
}

/** A request in the form of a question. */
const asking =
  /(?<!\p{L})(?:(?:can|could|would|will) (?:you|we)|please|let['’]?s|kannst du|könntest du|bitte)(?!\p{L})/iu;

const verbs =
  'add|adjust|allow|analy[sz]e|apply|ask|build|bump|call|change|check|clean|close|commit|compare|configure|connect|continue|convert|copy|create|debug|delete|deploy|describe|design|disable|document|do|download|draft|drop|enable|expand|explain|expose|extend|extract|fetch|figure|find|finish|fix|follow|forget|format|generate|get|give|go|group|handle|help|hide|implement|improve|include|increase|inline|inspect|install|integrate|introduce|investigate|keep|leave|limit|list|load|log|look|make|measure|merge|migrate|mock|move|name|open|optimi[sz]e|order|parse|pick|plan|port|prefer|prepare|print|propose|publish|push|put|read|rebase|redo|reduce|refactor|release|remove|rename|reorder|replace|report|reproduce|research|resolve|restart|restore|return|reuse|revert|review|rewrite|run|save|search|send|set|show|simplify|sort|speed|split|start|stop|store|suggest|summari[sz]e|support|switch|tell|test|track|translate|treat|trim|try|turn|undo|update|upgrade|use|validate|verify|wait|wire|work|wrap|write';

/** Requests something: an imperative, a wish or a question. */
const request = new RegExp(
  [
    `^(?:(?:please|now|then|next|also|and|so|but|ok(?:ay)?|yes|no|first|finally|just|instead|actually|let['’]?s|let us|(?:can|could|would|will) you|(?:i|we)(?:['’]d)? (?:want|need|would like|like)(?: you)?(?: to)?|(?:you )?(?:have|need) to|go ahead and|help me)[,:]?\\s+)*(?:please\\s+)?(?:${verbs})(?![\\p{L}\\p{N}_])`,
    "(?<!\\p{L})(?:please|(?:i|we)(?:['’]d)? (?:want|need|would like|like) (?:you|to|the|a|it)|let['’]s|bitte|s['’]il (?:te|vous) pla[iî]t|por favor|пожалуйста)(?!\\p{L})",
    '请|ください|해\\s?주세요',
  ].join('|'),
  'iu',
);
