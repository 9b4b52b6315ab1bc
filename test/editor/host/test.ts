import { Suite } from '../suite.ts';

export const suite = new Suite<void>();

/** A test that runs in the extension host, where it can import `vscode`: `test('the sentence', async () => { … })`. */
export function test(sentence: string, show: () => void | Promise<void>): void {
  suite.add(sentence, show);
}
