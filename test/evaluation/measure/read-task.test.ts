import { describe, expect, it } from 'vitest';
import { readTask, TaskInvalid } from '../../../extension/evaluation/measure/tasks/read-task';
import { smallTask, smallTaskFile } from '../../builders/evaluation-task';

type TaskFile = ReturnType<typeof smallTaskFile>;

function problems(change: (file: TaskFile) => unknown): string {
  const file = smallTaskFile();
  const changed = change(file) ?? file;
  try {
    readTask('shed.json', changed);
  } catch (error) {
    if (error instanceof TaskInvalid) return error.message;
    throw error;
  }
  return '';
}

describe('a task file', () => {
  it('is read when its truth is what its turns say', () => {
    expect(smallTask().constraints.map(({ id }) => id)).toEqual(['paint', 'budget', 'more']);
  });

  it('is refused with file and place for a field of another shape', () => {
    expect(problems((file) => ({ ...file, goals: [{ ...file.goals[0], signs: [] }] }))).toContain(
      'shed.json, at goals.0',
    );
    expect(problems((file) => ({ ...file, extra: 1 }))).toContain('shed.json, at extra');
    expect(problems(() => 'no object')).toContain('shed.json');
  });

  it('is refused when a rule was never said in these words', () => {
    const message = problems((file) => {
      const [paint] = file.constraints;
      if (paint) paint.said = 'Never paint the south wall.';
    });
    expect(message).toContain('constraints.0.said');
    expect(message).toContain('constraints.0.signs');
  });

  it('is refused when its goals do not follow one another', () => {
    const message = problems((file) => ({ ...file, goals: file.goals.map((goal) => ({ ...goal, until: 'turn-30' })) }));
    expect(message).toContain('a goal holds until the next one is said');
  });

  it('is refused when an option is ruled out by what does not hold then', () => {
    const message = problems((file) => {
      const option = file.actions[0]?.options[1] as { of?: string };
      option.of = 'budget';
    });
    expect(message).toContain('"budget" does not hold for as long as this can be asked');
  });

  it('is refused with fewer than sixty turns, or with a variable that nothing uses', () => {
    expect(problems((file) => ({ ...file, turns: file.turns.slice(0, 57) }))).toContain(
      '60 turns or more, this one 57',
    );
    expect(problems((file) => ({ ...file, variables: { ...file.variables, size: ['big'] } }))).toContain(
      'variables.size',
    );
  });

  it('is refused when two options are right', () => {
    const message = problems((file) => {
      const option = file.actions[0]?.options[1] as { of?: string; verdict: string };
      delete option.of;
      option.verdict = 'aligned';
    });
    expect(message).toContain('exactly one option is aligned');
  });
});
