import Orders

await Orders.program.run()
