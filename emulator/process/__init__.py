"""The emulator from outside: started, served, told what to do, and stopped."""
