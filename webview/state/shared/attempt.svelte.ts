import { messageOf } from './loadable';

/** An action that a person asked for: whether it is running, and why it last failed. */
export class Attempt {
  isRunning = $state(false);
  failure = $state<string | null>(null);

  /** One at a time. True if it succeeded. `say` makes a sentence of the reason. */
  async run(work: () => Promise<unknown>, say = (reason: string) => reason): Promise<boolean> {
    if (this.isRunning) return false;
    this.isRunning = true;
    this.failure = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.failure = say(messageOf(error));
      return false;
    } finally {
      this.isRunning = false;
    }
  }
}
