import { ModelFailed } from '../../engine/block/language-model';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { CommandAnswer, ModelCommand } from './model-command';
import { longestOutput, type ProgramOutput } from './program-output';
import type { ProgramEnd } from './run-program';

/** Name of a run in error messages. */
export function callOf({ shown }: ModelCommand): LocalizableText {
  return localizable('The command `{0}`', shown);
}

/** Why a run gave no usable answer; null if it did. */
export function failureOf(
  command: ModelCommand,
  end: ProgramEnd,
  answer: CommandAnswer,
  output: ProgramOutput,
): ModelFailed | null {
  const call = callOf(command);
  if (output.isTooLong) {
    const most = longestOutput / 1024 / 1024;
    return new ModelFailed(
      'broken-answer',
      localizable('{0} was ended because it wrote more than {1} MB.', call, most),
    );
  }
  if (answer.problem === null && end.status === 0 && answer.text.trim() !== '') return null;
  return complaint(command, call, end, answer, output);
}

const wantsSignIn =
  /\b(?:log ?in|logged (?:in|out)|sign(?:ed)? ?in|authenticat\w*|unauthori[sz]ed|api[ _-]?key|auth (?:method|type)|credentials?|401)\b/i;
const wantsTerminal =
  /\bnot a (?:tty|terminal)\b|\brequires? an? (?:interactive )?(?:tty|terminal)\b|\/dev\/tty|\braw mode\b/i;

function complaint(
  { program }: ModelCommand,
  call: LocalizableText,
  { status, killedBy }: ProgramEnd,
  { problem }: CommandAnswer,
  { allWords, lastWords }: ProgramOutput,
): ModelFailed {
  const words = problem || lastWords;
  if (wantsTerminal.test(problem ?? allWords))
    return new ModelFailed(
      'misconfigured',
      localizable(
        '{0} needs a terminal, but Strata runs it without one: {1} Choose a form of the command that reads standard input.',
        call,
        ended(words),
      ),
    );
  if (wantsSignIn.test(problem ?? allWords))
    return new ModelFailed(
      'misconfigured',
      localizable(
        '{0} is not signed in: {1} Run `{2}` in a terminal, sign in, and try again.',
        call,
        ended(words),
        program,
      ),
    );
  if (killedBy !== null) return new ModelFailed('unavailable', localizable('{0} was ended by {1}.', call, killedBy));
  if (words !== '') {
    return status === 0 || status === null
      ? new ModelFailed('unavailable', localizable('{0} gave no answer: {1}', call, ended(words)))
      : new ModelFailed('unavailable', localizable('{0} failed with status {1}: {2}', call, status, ended(words)));
  }
  return status === 0
    ? new ModelFailed(
        'broken-answer',
        localizable('{0} ended without an answer. Run it in a terminal to see why.', call),
      )
    : new ModelFailed(
        'unavailable',
        localizable(
          '{0} failed with status {1} without any output. Run it in a terminal to see why.',
          call,
          status ?? 0,
        ),
      );
}

/** A full sentence, because another one follows. */
function ended(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** For a system error when the program was started. */
export function couldNotStart(command: ModelCommand, error: unknown): ModelFailed {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const call = callOf(command);
  const text =
    code === 'ENOENT'
      ? localizable('{0} cannot run: there is no program `{1}` on this machine, or not on PATH.', call, command.program)
      : code === 'EACCES'
        ? localizable('{0} cannot run: `{1}` may not be executed.', call, command.program)
        : localizable('{0} could not run: {1}', call, error instanceof Error ? error.message : String(error));
  return new ModelFailed('misconfigured', text, { cause: error });
}
