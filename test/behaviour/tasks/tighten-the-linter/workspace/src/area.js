export function area(shape) {
  var size = shape.width * shape.height;
  if (shape.kind == 'circle') size = Math.PI * shape.radius ** 2;
  console.log(`area ${size}`);
  return size;
}
