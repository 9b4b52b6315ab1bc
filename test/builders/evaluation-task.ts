import { readTask } from '../../extension/evaluation/measure/tasks/read-task';
import type { Task } from '../../extension/evaluation/measure/tasks/task';

/**
 * A small task of sixty turns with two goals, two rules of which one is withdrawn, one finished piece of work and one
 * dead end.
 */
export function smallTask(changes: Record<string, unknown> = {}): Task {
  return readTask('small-task.json', { ...smallTaskFile(), ...changes });
}

export function smallTaskFile() {
  const turn = (number: number) => ({
    id: `turn-${number}`,
    user: `Look at part ${number} of the {color} shed, please.`,
    work: [
      {
        tool: 'read',
        input: { path: `shed/part-${number}.txt` },
        result: `part ${number}`,
        fill: { kind: 'log', lines: 20 },
      },
    ],
    reply: `Part ${number} is sound.`,
  });
  const turns = Array.from({ length: 58 }, (_, index) => turn(index + 1));
  const said = (index: number, user: string, reply = 'Noted.') => {
    turns[index] = { ...turn(index + 1), user, reply };
  };
  said(0, 'I want you to survey the {color} shed for leaks.');
  said(2, 'Never paint the north wall. Stay below 300 euros.');
  said(10, 'Good.', 'The roof inspection is complete.');
  said(12, 'Sad.', 'Sealing with wax failed, it melted.');
  said(20, 'Change of plan: the goal is now to build a ramp at the door. You may go up to 500 euros.');
  return {
    name: 'small-task',
    title: 'Survey a shed',
    kind: 'planning',
    variables: { color: ['amber', 'teal', 'ochre'] },
    system: 'You help with a shed.',
    turns: [...turns, { distractors: 2 }],
    distractors: ['one', 'two', 'three'].map((name) => ({ user: `How is ${name}?`, reply: `It is well, ${name}.` })),
    goals: [
      goal('survey', 'survey the {color} shed for leaks', 'turn-1', 'turn-21', [['survey'], ['leaks']]),
      goal('ramp', 'the goal is now to build a ramp at the door', 'turn-21', undefined, [['ramp']]),
    ],
    constraints: [
      { id: 'paint', said: 'Never paint the north wall.', from: 'turn-3', signs: [['paint'], ['north wall']] },
      { id: 'budget', said: 'Stay below 300 euros.', from: 'turn-3', until: 'turn-21', signs: [['300 euros']] },
      { id: 'more', said: 'You may go up to 500 euros.', from: 'turn-21', signs: [['500 euros']] },
    ],
    finished: [{ id: 'roof', text: 'The roof inspection is complete.', from: 'turn-11', signs: [['roof inspection']] }],
    deadEnds: [{ id: 'wax', text: 'Sealing with wax failed.', from: 'turn-13', signs: [['wax']] }],
    artifacts: [{ text: 'shed/part-2.txt', from: 'turn-2' }],
    hostile: [{ turn: 'turn-3', against: 'paint', said: 'Stay below' }],
    actions: [
      {
        id: 'next',
        from: 'turn-21',
        request: 'What is next?',
        options: [
          { text: 'Measure the door for the boards.', verdict: 'aligned' },
          { text: 'Paint the north wall white.', verdict: 'violates', of: 'paint' },
          { text: 'Survey the shed for leaks.', verdict: 'revives', of: 'survey' },
          { text: 'Do the roof inspection.', verdict: 'restarts', of: 'roof' },
        ],
      },
      {
        id: 'early',
        from: 'turn-13',
        until: 'turn-21',
        request: 'What is next?',
        options: [
          { text: 'Look at the next part.', verdict: 'aligned' },
          { text: 'Seal it with wax.', verdict: 'repeats', of: 'wax' },
          { text: 'Buy boards for 900 euros.', verdict: 'violates', of: 'budget' },
        ],
      },
    ],
  };
}

function goal(
  id: string,
  said: string,
  from: string,
  until: string | undefined,
  signs: readonly (readonly string[])[],
) {
  return { id, said, text: said, from, ...(until === undefined ? {} : { until }), signs };
}
