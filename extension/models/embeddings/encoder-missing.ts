import { LocalizableError, localizable } from '../../engine/wording/localizable-text';

/** Search by meaning is not possible: the sentence encoder is not installed, or does not load. */
export class EncoderMissing extends LocalizableError {
  override name = 'EncoderMissing';
}

export function notInstalled(): EncoderMissing {
  return new EncoderMissing(
    localizable(
      'The sentence encoder is not installed. In the editor run "Strata: Install Sentence Encoder…"; for the command line and the library install the npm package strata-context-encoder.',
    ),
  );
}

export function notLoaded(cause: unknown): EncoderMissing {
  return new EncoderMissing(
    localizable(
      'The sentence encoder could not be loaded: {0}',
      cause instanceof Error ? cause.message : String(cause),
    ),
    { cause },
  );
}
