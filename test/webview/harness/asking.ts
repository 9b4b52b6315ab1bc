import type { AskedView, AskingCostView, StandardQuestion } from '../../../extension/protocol/asking';

/** The data of "Ask both" in the pictures and checks. */

export const askingCost: AskingCostView = {
  ...{ model: 'scripted', input: 168_400, mostOutput: 1_600, tooLarge: [], mostQuestions: 5 },
  prices: [0.09, 0.18, 0.27, 0.36, 0.45].map((dollars) => `about $${dollars} at list prices of 2026-11`),
  questions: {
    goal: 'In one sentence, what is your current goal?',
    constraints: 'What constraints are you currently operating under?',
    'next-step': 'What will you do next, and with which files and commands?',
  },
};

const answers: Readonly<Record<StandardQuestion, readonly [string, string]>> = {
  goal: ['Render overlays without flicker in the terminal.', 'Render overlays without flicker in the terminal.'],
  constraints: ['Keep the public API stable.\nNo new dependencies.', 'Keep the public API stable.'],
  'next-step': [
    'I run `npm test -- overlay` and then fix the width of wide characters in src/tui.ts.',
    'I run `npm test` and then look at the width of characters in src/tui.ts.',
  ],
};

export function askedOf(standard: readonly StandardQuestion[], own: readonly string[]): AskedView {
  return {
    model: 'scripted',
    answers: [
      ...standard.map((question) => {
        const [before, after] = answers[question];
        return {
          question: askingCost.questions[question],
          ...{ before: { text: before, note: null }, after: { text: after, note: null } },
        };
      }),
      ...own.map((question) => ({
        question,
        before: { text: '', note: 'the model declined to answer' },
        after: { text: 'I do not know it.', note: null },
      })),
    ],
    tokensSpent: { input: 503_212, output: 640 },
  };
}
