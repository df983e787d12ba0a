const todos = new Map();
let next = 1;

export function add(title) {
  const todo = { id: next++, title, done: false };
  todos.set(todo.id, todo);
  return todo;
}

export function all() {
  return [...todos.values()];
}
