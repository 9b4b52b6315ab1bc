import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTask } from '../../../extension/evaluation/measure/tasks/read-task';

const folder = join(import.meta.dirname, '../../../extension/evaluation/measure/tasks/library');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

describe('the tasks that come with Strata', () => {
  for (const file of files) {
    it(`${file} has turns that match its ground truth`, () => {
      const task = readTask(file, JSON.parse(readFileSync(join(folder, file), 'utf8')));
      expect(`${task.name}.json`).toBe(file);
    });
  }
});
