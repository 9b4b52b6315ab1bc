import { type Completion, type LanguageModel, ModelFailed } from '../../engine/block/language-model';
import { joined, localizable } from '../../engine/wording/localizable-text';
import { estimatedTokens } from '../capped-text';
import { Patience, type PatienceLimits } from '../patience';
import { callOf, couldNotStart, failureOf } from './failures';
import type { ModelCommand } from './model-command';
import { type CappedAnswer, ProgramOutput } from './program-output';
import { runProgram } from './run-program';
import { Workplace } from './workplace';

interface CommandModelOptions extends PatienceLimits {
  readonly command: ModelCommand;
  /** Null for the cheapest known model of the program. */
  readonly model: string | null;
}

/** Programs start slowly, and most are silent until their answer is complete. */
export const commandDefaults: PatienceLimits = { timeoutMs: 300_000, idleTimeoutMs: 180_000 };

/** The only words of a prompt that other users of the machine could see, in the list of processes. */
const role = 'Do what the text on standard input asks for. Answer with that alone, and use no tools.';

/** A model that is called by a command on this machine. The prompt goes to its standard input, never to its arguments. */
export function commandModel({ command, model, ...limits }: CommandModelOptions): LanguageModel {
  const asked = model ?? command.cheapestModel;
  return {
    name: 'command',
    model: asked === null ? command.shown : `${command.shown} (${asked})`,
    concurrency: 2,
    async complete({ system, user }, options) {
      const patience = new Patience(callOf(command), limits, options.signal);
      const output = new ProgramOutput(command, options);
      try {
        const end = await Workplace.during(async (place) => {
          const { args, environment = {} } = await command.prepare({ model: asked, role, place });
          const { program, input } = command;
          return await runProgram({
            ...{ program, input, args, environment, place, text: `${system}\n\n${user}\n`, signal: patience.signal },
            onOutput(piece) {
              patience.heard();
              return output.add(piece);
            },
            onComplaint: (piece) => output.complain(piece),
          });
        });
        patience.throwIfEnded();
        const answer = output.answer();
        const failure = answer.isCut ? null : failureOf(command, end, answer, output);
        if (failure) throw failure;
        return completionOf(answer, `${system}\n${user}`);
      } catch (error) {
        if (error instanceof ModelFailed) throw withLastWords(error, output);
        options.signal.throwIfAborted();
        throw couldNotStart(command, error);
      } finally {
        patience.dispose();
      }
    },
  };
}

/** A program that ran out of time may have asked for something, so its last output is quoted. */
function withLastWords(failure: ModelFailed, { lastWords }: ProgramOutput): ModelFailed {
  if (failure.kind !== 'timeout' || lastWords === '') return failure;
  return new ModelFailed('timeout', joined(failure.wording, localizable('It last wrote: {0}', lastWords)));
}

function completionOf({ text, usage, isCut }: CappedAnswer, asked: string): Completion {
  const tokens = usage ?? { input: estimatedTokens(asked), output: estimatedTokens(text) };
  return { text, tokens, isCut };
}
