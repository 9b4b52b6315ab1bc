import { ModelFailed } from '../engine/block/language-model';
import { type LocalizableText, localizable } from '../engine/wording/localizable-text';

export interface PatienceLimits {
  /** Maximum duration of a call in milliseconds, including retries and waits. */
  readonly timeoutMs: number;
  /** Maximum silence once an answer has begun, in milliseconds. */
  readonly idleTimeoutMs: number;
}

/** Ends a call that takes too long, falls silent or is aborted. The creator disposes of it. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #overall: ReturnType<typeof setTimeout>;
  readonly #onCalledOff = () => this.#controller.abort();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #ranOut: ModelFailed | null = null;

  constructor(
    private readonly call: LocalizableText,
    private readonly limits: PatienceLimits,
    private readonly calledOff: AbortSignal,
  ) {
    this.#overall = setTimeout(
      () => this.#giveUp(localizable('{0} took longer than {1} s.', call, limits.timeoutMs / 1000)),
      limits.timeoutMs,
    );
    calledOff.addEventListener('abort', this.#onCalledOff);
    if (calledOff.aborted) this.#controller.abort();
  }

  /** Aborts when the call has to end, for any reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Data arrived: silence is measured from now on. */
  heard(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(
      () =>
        this.#giveUp(
          localizable(
            '{0} sent nothing for {1} s in the middle of its answer.',
            this.call,
            this.limits.idleTimeoutMs / 1000,
          ),
        ),
      this.limits.idleTimeoutMs,
    );
  }

  /** The reader is busy with received data: no time is measured until the next `heard`. */
  rest(): void {
    clearTimeout(this.#overall);
    clearTimeout(this.#idle);
  }

  /** A new attempt has no answer yet, so silence is not measured. */
  startOver(): void {
    clearTimeout(this.#idle);
  }

  /** Throws the abort reason, or `ModelFailed` if a time limit ended the call. */
  throwIfEnded(): void {
    this.calledOff.throwIfAborted();
    if (this.#ranOut) throw this.#ranOut;
  }

  dispose(): void {
    this.rest();
    this.calledOff.removeEventListener('abort', this.#onCalledOff);
  }

  #giveUp(why: LocalizableText): void {
    this.#ranOut = new ModelFailed('timeout', why);
    this.#controller.abort();
  }
}
