export function scale(shape, factor) {
  var result = {};
  for (var key in shape) result[key] = typeof shape[key] == 'number' ? shape[key] * factor : shape[key];
  return result;
}
