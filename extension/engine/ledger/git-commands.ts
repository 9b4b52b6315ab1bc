export const committing = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;

export const pushing = /\bgit\s+(?:-\S+\s+\S+\s+)*push\b|\bgh\s+pr\s+create\b/;
