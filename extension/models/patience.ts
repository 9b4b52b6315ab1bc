import { ModelFailed } from '../engine/block/language-model';

export interface PatienceLimits {
  /** The longest a call may take in all, retries and waits included, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest silence once an answer has begun, in milliseconds. */
  readonly idleTimeoutMs: number;
}

/** Ends a call that takes too long, falls silent, or is called off. Whoever makes one disposes of it. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #overall: ReturnType<typeof setTimeout>;
  readonly #onCalledOff = () => this.#controller.abort();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #ranOut: ModelFailed | null = null;

  constructor(
    private readonly call: string,
    private readonly limits: PatienceLimits,
    private readonly calledOff: AbortSignal,
  ) {
    this.#overall = setTimeout(
      () => this.#giveUp(`took longer than ${inSeconds(limits.timeoutMs)}.`),
      limits.timeoutMs,
    );
    calledOff.addEventListener('abort', this.#onCalledOff);
    if (calledOff.aborted) this.#controller.abort();
  }

  /** Aborts when the call is to end, for whichever reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something came in; from now on silence counts. */
  heard(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(
      () => this.#giveUp(`fell silent for ${inSeconds(this.limits.idleTimeoutMs)} in the middle of its answer.`),
      this.limits.idleTimeoutMs,
    );
  }

  /** The answer has begun, and its reader is at work on what came: no time runs until the next `heard`. */
  rest(): void {
    clearTimeout(this.#overall);
    clearTimeout(this.#idle);
  }

  /** A new attempt begins, so there is no answer yet that could fall silent. */
  startOver(): void {
    clearTimeout(this.#idle);
  }

  /** Throws the reason of whoever called it off, or `ModelFailed`, where that is why the call ended. */
  throwIfEnded(): void {
    this.calledOff.throwIfAborted();
    if (this.#ranOut) throw this.#ranOut;
  }

  dispose(): void {
    clearTimeout(this.#overall);
    clearTimeout(this.#idle);
    this.calledOff.removeEventListener('abort', this.#onCalledOff);
  }

  #giveUp(why: string): void {
    this.#ranOut = new ModelFailed('timeout', `${this.call} ${why}`);
    this.#controller.abort();
  }
}

function inSeconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
