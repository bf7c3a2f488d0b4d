document.body.append("Timeclock");
